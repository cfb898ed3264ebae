// SPDX-License-Identifier: Apache-2.0
/** Rules of FlinkStateSnapshots. */
@NullMarked
package io.sluice.rules.snapshot;

import org.jspecify.annotations.NullMarked;
