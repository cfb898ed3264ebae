// SPDX-License-Identifier: Apache-2.0
/** Reads files with Flink's file systems, where Flink's own Java and plugins are. */
@NullMarked
package io.sluice.filesystem;

import org.jspecify.annotations.NullMarked;
