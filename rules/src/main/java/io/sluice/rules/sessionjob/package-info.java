// SPDX-License-Identifier: Apache-2.0
/** Rules of FlinkSessionJobs. */
@NullMarked
package io.sluice.rules.sessionjob;

import org.jspecify.annotations.NullMarked;
