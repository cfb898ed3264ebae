// SPDX-License-Identifier: Apache-2.0
/** Attacks the three real processes together, and measures what ordinary users see of it. */
@org.jspecify.annotations.NullMarked
package io.sluice.bench.siege;
