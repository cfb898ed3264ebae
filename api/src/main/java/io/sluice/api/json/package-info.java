// SPDX-License-Identifier: Apache-2.0
/** Reads typed fields out of JSON and says what is wrong with them. */
@NullMarked
package io.sluice.api.json;

import org.jspecify.annotations.NullMarked;
