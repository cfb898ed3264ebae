// SPDX-License-Identifier: Apache-2.0
/** What processes keep in memory of the resources that they watch. */
@NullMarked
package io.sluice.process.cache;

import org.jspecify.annotations.NullMarked;
