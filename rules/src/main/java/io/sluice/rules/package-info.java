// SPDX-License-Identifier: Apache-2.0
/**
 * What a custom resource must satisfy to be accepted: named rules, pure, all reported at once. The
 * webhook refuses with them, the operator checks them again, so the two cannot disagree.
 */
@NullMarked
package io.sluice.rules;

import org.jspecify.annotations.NullMarked;
