// SPDX-License-Identifier: Apache-2.0
/** Rules about writes to the subresource {@code scale}. */
@NullMarked
package io.sluice.rules.scale;

import org.jspecify.annotations.NullMarked;
