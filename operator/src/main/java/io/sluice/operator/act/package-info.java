// SPDX-License-Identifier: Apache-2.0
/** Carries out actions on the Kubernetes API and on JobManagers. */
@NullMarked
package io.sluice.operator.act;

import org.jspecify.annotations.NullMarked;
