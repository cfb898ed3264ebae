// SPDX-License-Identifier: Apache-2.0
/** The statuses of the kinds, which the operator writes, and their parts. */
@NullMarked
package io.sluice.api.status;

import org.jspecify.annotations.NullMarked;
