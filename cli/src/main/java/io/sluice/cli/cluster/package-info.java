// SPDX-License-Identifier: Apache-2.0
/**
 * How the commands that ask a cluster reach it, find resources in it, show what is written there,
 * and what they say if it does not answer.
 */
@NullMarked
package io.sluice.cli.cluster;

import org.jspecify.annotations.NullMarked;
