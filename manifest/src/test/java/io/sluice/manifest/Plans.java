// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.FlinkDeploymentSpec;
import java.util.Optional;

/** Plans to render, of specs as YAML. */
final class Plans {
    private Plans() {}

    static ClusterPlan of(String spec) throws JsonProcessingException {
        return of(spec, new StartFrom.Nothing());
    }

    static ClusterPlan of(String spec, StartFrom from) throws JsonProcessingException {
        FlinkDeploymentSpec parsed =
                FlinkDeploymentSpec.parse(new YAMLMapper().readTree(spec), "spec").value();
        return new ClusterPlan(
                "shop",
                "orders",
                "1f2e",
                3,
                parsed,
                parsed.flinkConfiguration(),
                "fedcba9876543210fedcba9876543210",
                "0123456789abcdef0123456789abcdef",
                from,
                Optional.empty());
    }
}
