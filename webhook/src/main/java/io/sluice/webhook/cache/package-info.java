// SPDX-License-Identifier: Apache-2.0
/** The resources that rules look up. */
@NullMarked
package io.sluice.webhook.cache;

import org.jspecify.annotations.NullMarked;
