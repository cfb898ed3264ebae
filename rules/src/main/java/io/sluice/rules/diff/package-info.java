// SPDX-License-Identifier: Apache-2.0
/** What changed between two specs, and what each change asks for. */
@NullMarked
package io.sluice.rules.diff;

import org.jspecify.annotations.NullMarked;
