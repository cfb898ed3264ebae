// SPDX-License-Identifier: Apache-2.0
/**
 * {@code sluice try}: a release and one of the examples on a cluster, for as long as somebody
 * looks.
 */
@NullMarked
package io.sluice.cli.trial;

import org.jspecify.annotations.NullMarked;
