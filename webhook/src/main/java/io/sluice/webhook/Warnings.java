// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.FlinkVersion;
import io.sluice.api.ResourceKind;
import io.sluice.rules.Findings;
import io.sluice.rules.Warning;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is accepted, and yet worth telling whoever wrote it. */
final class Warnings {
    private Warnings() {}

    /** What the review found, then what this version of Sluice does not do yet. */
    static List<String> of(AdmissionRequest request, Findings findings) {
        JsonNode spec =
                request.object()
                        .map(object -> object.path("spec"))
                        .orElse(JsonNodeFactory.instance.missingNode());
        return Stream.concat(
                        findings.warnings().stream().map(Warning::text),
                        request.kind().equals(ResourceKind.FLINK_DEPLOYMENT.wire())
                                ? notYet(spec)
                                : Stream.of(notYet(request.kind())))
                .toList();
    }

    private static String notYet(String kind) {
        return kind + ": this version of Sluice checks it and does not act on it yet";
    }

    private static Stream<String> notYet(JsonNode spec) {
        return Stream.of(version(spec), upgradeMode(spec), session(spec), mode(spec))
                .flatMap(warnings -> warnings);
    }

    private static Stream<String> version(JsonNode spec) {
        return Optional.ofNullable(FlinkVersion.WORDS.get(spec.path("flinkVersion").asText("")))
                .stream()
                .filter(version -> version.isSupported() && !version.isAtLeast(FlinkVersion.V1_19))
                .map(
                        version ->
                                "spec.flinkVersion: '%s' is deprecated; move to v1_19 or later"
                                        .formatted(version.wire()));
    }

    private static Stream<String> upgradeMode(JsonNode spec) {
        String mode = spec.path("job").path("upgradeMode").asText("stateless");
        return mode.equals("stateless")
                ? Stream.empty()
                : Stream.of(
                        "spec.job.upgradeMode: '%s': this version of Sluice starts the job but never restarts it on a spec change, so as not to lose its state"
                                .formatted(mode));
    }

    private static Stream<String> session(JsonNode spec) {
        return spec.path("job").isObject()
                ? Stream.empty()
                : Stream.of(
                        "spec.job is missing: this version of Sluice deploys no session clusters");
    }

    private static Stream<String> mode(JsonNode spec) {
        return spec.path("mode").asText("native").equals("native")
                ? Stream.empty()
                : Stream.of("spec.mode: 'standalone': this version of Sluice deploys native only");
    }
}
