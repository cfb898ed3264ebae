// SPDX-License-Identifier: Apache-2.0
/**
 * Kept mutants: faults that are planted in production code one at a time, each of which a named
 * test has to catch.
 */
@NullMarked
package io.sluice.testkit.mutants;

import org.jspecify.annotations.NullMarked;
