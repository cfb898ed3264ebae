// SPDX-License-Identifier: Apache-2.0
/** The certificate that the server presents. */
@NullMarked
package io.sluice.webhook.certificates;

import org.jspecify.annotations.NullMarked;
