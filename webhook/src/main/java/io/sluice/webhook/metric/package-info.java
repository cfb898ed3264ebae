// SPDX-License-Identifier: Apache-2.0
/** What the webhook counts. */
@NullMarked
package io.sluice.webhook.metric;

import org.jspecify.annotations.NullMarked;
