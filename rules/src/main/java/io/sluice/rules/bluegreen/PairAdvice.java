// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.bluegreen;

import static io.sluice.rules.review.Problems.missing;
import static io.sluice.rules.review.Problems.when;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.BlueGreenTemplate;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.rules.config.option.BlueGreenOptions;
import io.sluice.rules.review.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What is worth knowing before both halves of a pair run at the same time. */
public final class PairAdvice {
    private static final String HANDOVER = "spec.configuration";
    private static final double GIBIBYTE = 1 << 30;

    static final List<Rule<PairReview>> CHECKS =
            List.of(
                    new Rule<>(
                            "bluegreen-overlap",
                            HANDOVER,
                            "From the savepoint of a transition until the former half is gone, both"
                                    + " halves process the same records.",
                            PairAdvice::overlap),
                    new Rule<>(
                            "bluegreen-cost",
                            HANDOVER,
                            "During a transition both halves need their resources.",
                            PairAdvice::cost),
                    new Rule<>(
                            "bluegreen-shared-ports",
                            BlueGreenTemplate.SPEC_PATH + ".podTemplate",
                            "Pods of both halves can't have the same port of a node.",
                            PairAdvice::ports),
                    new Rule<>(
                            "bluegreen-volume",
                            BlueGreenTemplate.SPEC_PATH + ".podTemplate",
                            "A volume that one node may write to is not for pods of both halves.",
                            PairAdvice::volumes));

    /** All of these and those of the analysis, for the reference. */
    public static final List<Rule<?>> ALL =
            Stream.of(CHECKS, AnalysisRules.ADVICE).<Rule<?>>flatMap(List::stream).toList();

    private PairAdvice() {}

    private static List<FieldProblem> overlap(PairReview review) {
        return when(
                review.overlaps() && review.job().isPresent(),
                missing(
                        HANDOVER,
                        "both halves process the records of a transition, so that sinks see them"
                                + " twice; set kubernetes.operator.bluegreen.handover: stop-first"
                                + " if that must not be"));
    }

    private static List<FieldProblem> cost(PairReview review) {
        HalfSize size = HalfSize.of(review.half().spec(), review.effective());
        Duration most =
                review.configuration()
                        .get(BlueGreenOptions.GRACE_PERIOD)
                        .plus(review.configuration().get(BlueGreenOptions.DELETION_DELAY))
                        .plus(AnalysisRules.longest(review));
        return when(
                review.overlaps() && review.job().isPresent(),
                missing(
                        HANDOVER,
                        String.format(
                                Locale.ROOT,
                                "a transition needs %.1f more cores and %.1f GiB more memory, for"
                                        + " up to %d min",
                                size.cpu(),
                                size.memory() / GIBIBYTE,
                                Math.max(1, most.toMinutes()))));
    }

    private static List<FieldProblem> ports(PairReview review) {
        return templates(review)
                .filter(
                        template ->
                                template.pod().at("/spec/hostNetwork").asBoolean(false)
                                        || template.pod()
                                                .at("/spec/containers")
                                                .valueStream()
                                                .flatMap(it -> it.path("ports").valueStream())
                                                .anyMatch(it -> it.path("hostPort").asInt(0) > 0))
                .map(
                        template ->
                                missing(
                                        template.path(),
                                        "takes a port of the node, which the pods of the other half"
                                                + " on that node then lack during a transition"))
                .toList();
    }

    private static List<FieldProblem> volumes(PairReview review) {
        return templates(review)
                .flatMap(
                        template ->
                                template.pod()
                                        .at("/spec/volumes")
                                        .valueStream()
                                        .map(
                                                volume ->
                                                        volume.at(
                                                                "/persistentVolumeClaim/claimName"))
                                        .map(JsonNode::asText)
                                        .filter(claim -> !claim.isEmpty())
                                        .map(
                                                claim ->
                                                        missing(
                                                                template.path(),
                                                                "PersistentVolumeClaim '"
                                                                        + claim
                                                                        + "' is mounted by both"
                                                                        + " halves during a"
                                                                        + " transition; it has to"
                                                                        + " be ReadWriteMany")))
                .toList();
    }

    private record Template(String path, ObjectNode pod) {}

    private static Stream<Template> templates(PairReview review) {
        FlinkDeploymentSpec spec = review.half().spec();
        return Stream.of(
                        template("podTemplate", spec.podTemplate()),
                        template("jobManager.podTemplate", spec.jobManager().podTemplate()),
                        template("taskManager.podTemplate", spec.taskManager().podTemplate()))
                .flatMap(Optional::stream)
                .filter(_ -> review.overlaps());
    }

    private static Optional<Template> template(String field, Optional<ObjectNode> pod) {
        return pod.map(it -> new Template(BlueGreenTemplate.SPEC_PATH + "." + field, it));
    }
}
