// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import io.sluice.api.json.Fields;
import java.util.Optional;

/**
 * The older way to size a component: {@code resource: {cpu, memory, ephemeralStorage}}. Memory is a
 * Flink or Kubernetes size.
 */
public record ResourceSpec(
        Optional<Double> cpu, Optional<String> memory, Optional<String> ephemeralStorage) {
    static ResourceSpec read(Fields fields) {
        return new ResourceSpec(
                fields.number("cpu"), fields.string("memory"), fields.string("ephemeralStorage"));
    }
}
