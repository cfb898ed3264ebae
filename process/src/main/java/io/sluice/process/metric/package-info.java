// SPDX-License-Identifier: Apache-2.0
/** How processes make and show the metrics of the one list. */
@NullMarked
package io.sluice.process.metric;

import org.jspecify.annotations.NullMarked;
