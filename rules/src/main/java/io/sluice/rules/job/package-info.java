// SPDX-License-Identifier: Apache-2.0
/** Rules of the job in a FlinkDeployment or a FlinkSessionJob. */
@NullMarked
package io.sluice.rules.job;

import org.jspecify.annotations.NullMarked;
