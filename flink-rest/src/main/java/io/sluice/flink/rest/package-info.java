/**
 * The JobManager's REST API as a port: records in and out, so that deciders never see HTTP.
 * Adapter, fake and the suite that both pass live beside it.
 */
@NullMarked
package io.sluice.flink.rest;

import org.jspecify.annotations.NullMarked;
