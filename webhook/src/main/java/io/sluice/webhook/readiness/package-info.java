// SPDX-License-Identifier: Apache-2.0
/** What the process needs before it can answer. */
@NullMarked
package io.sluice.webhook.readiness;

import org.jspecify.annotations.NullMarked;
