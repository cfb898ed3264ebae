// SPDX-License-Identifier: Apache-2.0
/** Which resources are canaries, for the webhook and for the operator. */
@NullMarked
package io.sluice.rules.canary;

import org.jspecify.annotations.NullMarked;
