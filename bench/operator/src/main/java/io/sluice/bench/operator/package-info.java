// SPDX-License-Identifier: Apache-2.0
/** The operator among thousands of resources. */
@NullMarked
package io.sluice.bench.operator;

import org.jspecify.annotations.NullMarked;
