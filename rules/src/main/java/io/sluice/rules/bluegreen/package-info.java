// SPDX-License-Identifier: Apache-2.0
/** Rules of FlinkBlueGreenDeployments. */
@NullMarked
package io.sluice.rules.bluegreen;

import org.jspecify.annotations.NullMarked;
