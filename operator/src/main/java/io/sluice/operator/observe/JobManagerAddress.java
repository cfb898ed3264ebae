// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.RestEndpoint;
import java.net.URI;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Computes the address of a JobManager from the configuration that its cluster was created with.
 *
 * @param address what follows from the resource's name and a configuration
 */
public record JobManagerAddress(RestEndpoint address, Supplier<DefaultConfiguration> defaults)
        implements Function<FlinkDeployment, URI> {
    private static final Options NOTHING = new Options(FlinkConfiguration.EMPTY);
    private static final JsonPointer CONFIGURATION = JsonPointer.compile("/flinkConfiguration");
    private static final JsonPointer LAST_RECONCILED =
            JsonPointer.compile("/reconciliationStatus/lastReconciledSpec");

    @Override
    public URI apply(FlinkDeployment resource) {
        var metadata = resource.getMetadata();
        return address.of(metadata.getNamespace(), metadata.getName(), options(resource));
    }

    private Options options(FlinkDeployment resource) {
        return (isMentioned(resource)
                        ? spec(resource).map(spec -> options(resource, spec))
                        : Optional.<Options>empty())
                .orElse(NOTHING);
    }

    /** Hardly ever; reading what runs costs more than the rest of a look. */
    private boolean isMentioned(FlinkDeployment resource) {
        return defaults.get().base().entries().keySet().stream().anyMatch(RestEndpoint::dependsOn)
                || isMentioned(resource.getSpec(), CONFIGURATION)
                || isMentioned(resource.getStatus(), LAST_RECONCILED);
    }

    private static boolean isMentioned(ObjectNode part, JsonPointer path) {
        return Optional.ofNullable(part)
                .map(found -> found.at(path))
                .map(found -> found.isTextual() ? found.textValue() : found.toString())
                .filter(text -> text.contains("port") || text.contains("ssl"))
                .isPresent();
    }

    private static Optional<FlinkDeploymentSpec> spec(FlinkDeployment resource) {
        return Optional.ofNullable(resource.getStatus())
                .map(FlinkDeploymentStatus::of)
                .flatMap(LastReconciledSpec::running)
                .map(LastReconciledSpec::spec)
                .or(
                        () ->
                                Optional.ofNullable(resource.getSpec())
                                        .map(it -> FlinkDeploymentSpec.parse(it, "spec").value()));
    }

    private Options options(FlinkDeployment resource, FlinkDeploymentSpec spec) {
        return new Options(
                defaults.get()
                        .effective(
                                resource.getMetadata().getNamespace(),
                                spec.flinkVersion(),
                                spec.flinkConfiguration()));
    }
}
