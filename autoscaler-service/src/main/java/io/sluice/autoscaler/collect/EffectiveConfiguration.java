// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkVersion;
import java.util.Optional;

/** A resource's own configuration on top of its cluster's and of the operator's defaults. */
@FunctionalInterface
public interface EffectiveConfiguration {
    FlinkConfiguration effective(
            String namespace,
            Optional<FlinkVersion> version,
            FlinkConfiguration cluster,
            FlinkConfiguration own);
}
