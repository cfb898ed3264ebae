// SPDX-License-Identifier: Apache-2.0
/** Rules of FlinkDeployments. */
@NullMarked
package io.sluice.rules.deployment;

import org.jspecify.annotations.NullMarked;
