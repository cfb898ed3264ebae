/** The port over HTTP, and what keeps one silent JobManager from stalling its callers. */
@NullMarked
package io.sluice.flink.rest.http;

import org.jspecify.annotations.NullMarked;
