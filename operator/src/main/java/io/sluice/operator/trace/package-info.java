// SPDX-License-Identifier: Apache-2.0
/** OpenTelemetry spans of a pass and of what it asks of others. */
@NullMarked
package io.sluice.operator.trace;

import org.jspecify.annotations.NullMarked;
