// SPDX-License-Identifier: Apache-2.0
/** The port at which each process shows its health, its metrics and its pages. */
@NullMarked
package io.sluice.process.management;

import org.jspecify.annotations.NullMarked;
