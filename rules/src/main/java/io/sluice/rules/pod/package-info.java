// SPDX-License-Identifier: Apache-2.0
/** What a pod template may ask for. */
@NullMarked
package io.sluice.rules.pod;

import org.jspecify.annotations.NullMarked;
