// SPDX-License-Identifier: Apache-2.0
/** What users write: specs of the kinds, and their parts. */
@NullMarked
package io.sluice.api.spec;

import org.jspecify.annotations.NullMarked;
