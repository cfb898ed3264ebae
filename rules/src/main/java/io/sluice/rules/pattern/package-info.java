// SPDX-License-Identifier: Apache-2.0
/** How the operator's configuration lists names that resources may use. */
@NullMarked
package io.sluice.rules.pattern;

import org.jspecify.annotations.NullMarked;
