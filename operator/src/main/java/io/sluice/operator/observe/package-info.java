// SPDX-License-Identifier: Apache-2.0
/** Reads the objects and the JobManager of a resource, and turns what they say into values. */
@NullMarked
package io.sluice.operator.observe;

import org.jspecify.annotations.NullMarked;
