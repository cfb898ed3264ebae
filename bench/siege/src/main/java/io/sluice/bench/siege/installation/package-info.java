// SPDX-License-Identifier: Apache-2.0
/** The three processes under siege, and what they run in. */
@NullMarked
package io.sluice.bench.siege.installation;

import org.jspecify.annotations.NullMarked;
