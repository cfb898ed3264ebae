// SPDX-License-Identifier: Apache-2.0
/** The attacks. */
@NullMarked
package io.sluice.bench.siege.attack;

import org.jspecify.annotations.NullMarked;
