// SPDX-License-Identifier: Apache-2.0
/** The defaults of a resource as a JSON Patch, for the mutating webhook. */
@NullMarked
package io.sluice.mutator;

import org.jspecify.annotations.NullMarked;
