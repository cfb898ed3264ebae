// SPDX-License-Identifier: Apache-2.0
/** A plugin to copy. */
@NullMarked
package io.sluice.plugin.example;

import org.jspecify.annotations.NullMarked;
