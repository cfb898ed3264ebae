// SPDX-License-Identifier: Apache-2.0
/** Other programs, how they are run, and what a trial says meanwhile. */
@NullMarked
package io.sluice.cli.trial.program;

import org.jspecify.annotations.NullMarked;
