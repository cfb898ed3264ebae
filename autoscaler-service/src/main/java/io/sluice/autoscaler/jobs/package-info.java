// SPDX-License-Identifier: Apache-2.0
/** Which jobs there are to scale. */
@NullMarked
package io.sluice.autoscaler.jobs;

import org.jspecify.annotations.NullMarked;
