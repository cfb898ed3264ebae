// SPDX-License-Identifier: Apache-2.0
/** Whether the installed CRDs know what this version writes. */
@NullMarked
package io.sluice.operator.crd;

import org.jspecify.annotations.NullMarked;
