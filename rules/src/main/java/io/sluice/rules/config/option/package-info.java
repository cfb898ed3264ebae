// SPDX-License-Identifier: Apache-2.0
/**
 * Every option that Sluice reads, declared once: its key, its type, its default, who may set it and
 * when a change takes effect. The reference, the review of a configuration and all readers use
 * these declarations.
 */
@NullMarked
package io.sluice.rules.config.option;

import org.jspecify.annotations.NullMarked;
