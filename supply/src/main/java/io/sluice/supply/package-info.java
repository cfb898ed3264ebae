// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.sluice.supply;

import org.jspecify.annotations.NullMarked;
