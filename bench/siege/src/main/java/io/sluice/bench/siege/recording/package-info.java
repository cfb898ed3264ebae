// SPDX-License-Identifier: Apache-2.0
/** What the API server and the collectors of garbage did while users waited. */
@NullMarked
package io.sluice.bench.siege.recording;

import org.jspecify.annotations.NullMarked;
