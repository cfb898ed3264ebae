// SPDX-License-Identifier: Apache-2.0
/** How processes write Kubernetes events. */
@NullMarked
package io.sluice.process.event;

import org.jspecify.annotations.NullMarked;
