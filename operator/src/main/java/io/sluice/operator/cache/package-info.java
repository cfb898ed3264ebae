// SPDX-License-Identifier: Apache-2.0
/** What is kept in memory of what is watched: as little as is read of it. */
@NullMarked
package io.sluice.operator.cache;

import org.jspecify.annotations.NullMarked;
