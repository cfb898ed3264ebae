// SPDX-License-Identifier: Apache-2.0
/** What a rule is, what it reads, and what it finds. */
@NullMarked
package io.sluice.rules.review;

import org.jspecify.annotations.NullMarked;
