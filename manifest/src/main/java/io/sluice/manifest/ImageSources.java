// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ComponentSpec;
import io.sluice.api.spec.DeploymentMode;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.rules.config.Options;
import io.sluice.rules.pod.FillIn;
import io.sluice.rules.pod.FlinkPod;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * From where the kubelets pull the images that Flink runs in. Two specs with equal sources need no
 * image that the other one does not need.
 */
public record ImageSources(Source jobManager, Source taskManager) {
    private static final List<String> IMAGE =
            List.of("kubernetes.container.image.ref", "kubernetes.container.image");
    private static final List<String> POLICY = List.of("kubernetes.container.image.pull-policy");
    private static final List<String> SECRETS = List.of("kubernetes.container.image.pull-secrets");

    /**
     * The image of a component's main container.
     *
     * @param image empty if nothing names one, so that Flink's own default holds
     * @param policy the imagePullPolicy; empty if nothing sets it
     * @param secrets names of the Secrets to pull with
     */
    public record Source(Optional<String> image, Optional<String> policy, List<String> secrets) {
        public Source {
            secrets = List.copyOf(secrets);
        }
    }

    /**
     * The sources of a cluster.
     *
     * @param effective the operator's defaults with the spec's configuration on top
     */
    public static ImageSources of(FlinkDeploymentSpec spec, FlinkConfiguration effective) {
        return new ImageSources(
                of(spec, spec.jobManager(), effective), of(spec, spec.taskManager(), effective));
    }

    /** The images that are named, without repetition, the JobManager's first. */
    public List<String> images() {
        return Stream.of(jobManager, taskManager)
                .flatMap(source -> source.image().stream())
                .distinct()
                .toList();
    }

    /**
     * The spec has priority, then the options, which only a native cluster has, then templates.
     * Secrets of options are added to those of templates.
     */
    private static Source of(
            FlinkDeploymentSpec spec, ComponentSpec component, FlinkConfiguration effective) {
        ObjectNode pod =
                FlinkPod.of(
                        spec.podTemplate(),
                        component.podTemplate(),
                        FillIn.of(new Options(effective)));
        ObjectNode main = FlinkPod.main(pod);
        FlinkConfiguration options =
                spec.mode() == DeploymentMode.NATIVE ? effective : FlinkConfiguration.EMPTY;
        return new Source(
                spec.image().or(() -> option(options, IMAGE)).or(() -> text(main, "image")),
                spec.imagePullPolicy()
                        .or(() -> option(options, POLICY))
                        .or(() -> text(main, "imagePullPolicy")),
                Stream.concat(
                                secrets(pod.at("/spec/imagePullSecrets")),
                                option(options, SECRETS).stream().flatMap(ImageSources::names))
                        .distinct()
                        .toList());
    }

    private static Optional<String> option(FlinkConfiguration options, List<String> keys) {
        return keys.stream().flatMap(key -> options.get(key).stream()).findFirst();
    }

    private static Optional<String> text(ObjectNode container, String field) {
        return Optional.of(container.path(field).asText()).filter(text -> !text.isEmpty());
    }

    /** Flink separates the elements of a list by semicolons. */
    private static Stream<String> names(String option) {
        return Arrays.stream(option.split(";", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty());
    }

    private static Stream<String> secrets(JsonNode references) {
        return references.valueStream().map(secret -> secret.path("name").asText());
    }
}
