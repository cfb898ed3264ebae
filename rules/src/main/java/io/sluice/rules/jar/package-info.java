// SPDX-License-Identifier: Apache-2.0
/** Where a session job's jar may be fetched from. */
@NullMarked
package io.sluice.rules.jar;

import org.jspecify.annotations.NullMarked;
