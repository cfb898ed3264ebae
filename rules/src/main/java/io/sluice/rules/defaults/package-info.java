// SPDX-License-Identifier: Apache-2.0
/** Values filled in where a user wrote none; one list, read by the webhook and the operator. */
@NullMarked
package io.sluice.rules.defaults;

import org.jspecify.annotations.NullMarked;
