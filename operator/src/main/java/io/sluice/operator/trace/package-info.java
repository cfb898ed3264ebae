// SPDX-License-Identifier: Apache-2.0
/** OpenTelemetry spans of a reconciliation and of what it asks of others. */
@NullMarked
package io.sluice.operator.trace;

import org.jspecify.annotations.NullMarked;
