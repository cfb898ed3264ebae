// SPDX-License-Identifier: Apache-2.0
/** Loads plugins, each in a class loader of its own, and keeps their faults from spreading. */
@NullMarked
package io.sluice.plugins;

import org.jspecify.annotations.NullMarked;
