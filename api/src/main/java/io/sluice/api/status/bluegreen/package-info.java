// SPDX-License-Identifier: Apache-2.0
/** The status of a FlinkBlueGreenDeployment. */
@NullMarked
package io.sluice.api.status.bluegreen;

import org.jspecify.annotations.NullMarked;
