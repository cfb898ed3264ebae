// SPDX-License-Identifier: Apache-2.0
/** Flink jobs to copy from and to try Sluice with. */
@NullMarked
package io.sluice.examples;

import org.jspecify.annotations.NullMarked;
