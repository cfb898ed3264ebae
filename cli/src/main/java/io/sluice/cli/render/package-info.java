// SPDX-License-Identifier: Apache-2.0
/** {@code sluice render}: the manifests of a FlinkDeployment, and where their values come from. */
@NullMarked
package io.sluice.cli.render;

import org.jspecify.annotations.NullMarked;
