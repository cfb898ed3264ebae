/** What users see beside the status: events and metrics. */
@NullMarked
package io.sluice.operator.report;

import org.jspecify.annotations.NullMarked;
