// SPDX-License-Identifier: Apache-2.0
/** The specs of the kinds, which users write, and their parts. */
@NullMarked
package io.sluice.api.spec;

import org.jspecify.annotations.NullMarked;
