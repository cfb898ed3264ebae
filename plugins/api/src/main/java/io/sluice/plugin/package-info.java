// SPDX-License-Identifier: Apache-2.0
/**
 * What a plugin implements and is handed. These few types stay as they are within a major version;
 * nothing of Sluice's own, and no library, shows in them.
 */
@NullMarked
package io.sluice.plugin;

import org.jspecify.annotations.NullMarked;
