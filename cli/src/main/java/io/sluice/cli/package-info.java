// SPDX-License-Identifier: Apache-2.0
/** The command line: what the webhook would say, without a cluster. */
@NullMarked
package io.sluice.cli;

import org.jspecify.annotations.NullMarked;
