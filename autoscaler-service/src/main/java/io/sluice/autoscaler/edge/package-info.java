// SPDX-License-Identifier: Apache-2.0
/** What the service answers to people: its explanations and its page. */
@NullMarked
package io.sluice.autoscaler.edge;

import org.jspecify.annotations.NullMarked;
