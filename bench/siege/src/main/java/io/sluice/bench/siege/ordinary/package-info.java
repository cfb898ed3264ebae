// SPDX-License-Identifier: Apache-2.0
/** Ordinary resources whose users must not notice the attacks. */
@NullMarked
package io.sluice.bench.siege.ordinary;

import org.jspecify.annotations.NullMarked;
