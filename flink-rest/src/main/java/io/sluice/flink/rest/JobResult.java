// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import java.util.Optional;

/**
 * {@code GET /jobs/:id/execution-result}.
 *
 * @param status for example {@code SUCCEEDED}, {@code CANCELED}, {@code FAILED}; empty while the
 *     job has not ended
 * @param failure why it failed, one line
 */
public record JobResult(Optional<String> status, Optional<String> failure) {}
