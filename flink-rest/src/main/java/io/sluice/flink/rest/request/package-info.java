// SPDX-License-Identifier: Apache-2.0
/** What a JobManager is asked to do: the bodies of requests. */
@NullMarked
package io.sluice.flink.rest.request;

import org.jspecify.annotations.NullMarked;
