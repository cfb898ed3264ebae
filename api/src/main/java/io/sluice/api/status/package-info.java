// SPDX-License-Identifier: Apache-2.0
/** What the operator writes: statuses of the kinds, and their parts. */
@NullMarked
package io.sluice.api.status;

import org.jspecify.annotations.NullMarked;
