// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.request;

import io.sluice.flink.rest.request.StopRequest.SavepointFormat;
import java.util.Optional;

/**
 * {@code POST /jobs/:id/savepoints}: write a savepoint while the job runs on.
 *
 * @param triggerId 32 hexadecimal digits; the same again changes nothing
 * @param folder where the savepoint goes; empty for the cluster's own folder
 */
public record SavepointRequest(String triggerId, Optional<String> folder, SavepointFormat format) {}
