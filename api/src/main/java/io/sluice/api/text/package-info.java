// SPDX-License-Identifier: Apache-2.0
/** Texts that people read. */
@NullMarked
package io.sluice.api.text;

import org.jspecify.annotations.NullMarked;
