// SPDX-License-Identifier: Apache-2.0
/** The status of a FlinkStateSnapshot, and its parts. */
@NullMarked
package io.sluice.api.status.snapshot;

import org.jspecify.annotations.NullMarked;
