// SPDX-License-Identifier: Apache-2.0
/**
 * The configuration a resource ends up with: the operator's defaults with their overlays, the
 * resource's own entries on top, older spellings of a key understood, values read as types.
 */
@NullMarked
package io.sluice.rules.config;

import org.jspecify.annotations.NullMarked;
