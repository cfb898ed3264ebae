// SPDX-License-Identifier: Apache-2.0
/** Resources that run nothing and show whether the operator sees changes. */
@NullMarked
package io.sluice.operator.canary;

import org.jspecify.annotations.NullMarked;
