/**
 * FlinkDeployments: observe, decide, record intent, act, report.
 *
 * <pre>
 *   Observer ──▶ Snapshot ──▶ Decider ──▶ Decision ──▶ status is written ──▶ Actions ──▶ events
 *   (all reads)               (pure)                   (intent first)        (idempotent)
 * </pre>
 */
@NullMarked
package io.sluice.operator.deployment;

import org.jspecify.annotations.NullMarked;
