// SPDX-License-Identifier: Apache-2.0
/** The HTTPS server: connections, bodies and their limits, and what a request is answered. */
@NullMarked
package io.sluice.webhook.http;

import org.jspecify.annotations.NullMarked;
