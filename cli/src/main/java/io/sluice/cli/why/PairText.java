// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.spec.FlinkBlueGreenDeploymentSpec;
import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.api.status.bluegreen.TransitionSavepoint;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.BlueGreenOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a FlinkBlueGreenDeployment says of itself. Pure. */
final class PairText {
    private final Span span;
    private final Options options;
    private final FlinkBlueGreenDeploymentStatus status;

    private PairText(StatusView view, Span span) {
        this.span = span;
        this.options =
                new Options(
                        FlinkBlueGreenDeploymentSpec.parse(
                                        Optional.ofNullable(view.resource().getSpec())
                                                .orElseGet(JsonNodeFactory.instance::objectNode),
                                        "spec")
                                .value()
                                .configuration());
        this.status = FlinkBlueGreenDeploymentStatus.of(view.status());
    }

    static KindText of(StatusView view, Span span) {
        var text = new PairText(view, span);
        List<String> sentences = new ArrayList<>();
        text.status
                .blueGreenState()
                .ifPresent(
                        state ->
                                sentences.add(
                                        "In the status: state "
                                                + state.wire()
                                                + text.status
                                                        .jobState()
                                                        .map(job -> ", job " + job.wire())
                                                        .orElse("")
                                                + "."));
        text.status
                .transition()
                .ifPresent(
                        transition ->
                                sentences.addAll(
                                        transition.isOver()
                                                ? List.of(text.over(transition))
                                                : text.inProgress(transition)));
        text.status.error().ifPresent(error -> sentences.add("The last error: " + error));
        return new KindText(sentences, text.ofApache());
    }

    private String over(PairTransition transition) {
        return "The last transition, to "
                + transition.to().word()
                + " for generation "
                + transition.generation()
                + ", ended "
                + span.distance(transition.since())
                + transition.outcome().map(PairText::outcome).orElse("")
                + transition.message().map(why -> " " + why).orElse("");
    }

    private static String outcome(TransitionOutcome outcome) {
        return switch (outcome) {
            case PROMOTED -> ": that half became the active one.";
            case ABORTED -> ": it was aborted, and the active half went on.";
            case FAILED -> ": that half was never started.";
            case SUPERSEDED -> ": the spec was changed meanwhile.";
        };
    }

    private List<String> inProgress(PairTransition transition) {
        List<String> sentences = new ArrayList<>();
        String way =
                transition
                        .from()
                        .filter(from -> from != transition.to())
                        .map(from -> "from " + from.word() + " to " + transition.to().word())
                        .orElseGet(() -> "of " + transition.to().word());
        sentences.add(
                "The change "
                        + way
                        + ", for generation "
                        + transition.generation()
                        + ", is in the phase "
                        + transition.phase().wire()
                        + " "
                        + span.since(transition.since())
                        + ".");
        deadline(transition).ifPresent(sentences::add);
        if (transition.phase() == TransitionPhase.PROVING) {
            sentences.add(checks());
        }
        transition.savepoint().flatMap(this::savepoint).ifPresent(sentences::add);
        transition.message().ifPresent(why -> sentences.add("It ends because of this: " + why));
        return sentences;
    }

    private String checks() {
        return "The new half has to run without a break for "
                + options.get(BlueGreenOptions.ANALYSIS_DURATION).toSeconds()
                + " s, with at least "
                + options.get(BlueGreenOptions.ANALYSIS_MIN_CHECKPOINTS)
                + " checkpoints and at most "
                + options.get(BlueGreenOptions.ANALYSIS_MAX_RESTARTS)
                + " restarts.";
    }

    /** While somebody is asked, the deadline in the status is moved on. */
    private Optional<String> deadline(PairTransition transition) {
        Optional<Instant> deadline =
                transition.phase() == TransitionPhase.APPROVAL
                        ? transition
                                .approvalSince()
                                .map(
                                        since ->
                                                since.plus(
                                                        options.get(
                                                                BlueGreenOptions
                                                                        .PROMOTION_DEADLINE)))
                        : transition.deadline();
        return deadline.map(
                end -> "That lasts at the latest " + span.until(end) + after(transition));
    }

    private static String after(PairTransition transition) {
        return switch (transition.phase()) {
            case SAVING, STARTING, PROVING, APPROVAL ->
                    "; then the transition is aborted, and the active half goes on.";
            case FIRST, IN_PLACE, PREPARING, RETIRING, REMOVING, ABORTING, RESUMING, ENDED -> ".";
        };
    }

    private Optional<String> savepoint(TransitionSavepoint savepoint) {
        return savepoint
                .path()
                .map(path -> "The new half starts from " + path)
                .or(
                        () ->
                                savepoint
                                        .nextTry()
                                        .map(
                                                next ->
                                                        "Try "
                                                                + savepoint.tries()
                                                                + " to save the active half has"
                                                                + " failed; the next one comes "
                                                                + span.distance(next)
                                                                + "."));
    }

    private Verdict ofApache() {
        boolean isFailing =
                status.error().isPresent()
                        || status.jobState().equals(Optional.of(JobState.FAILING));
        if (isFailing) {
            return Verdict.STALLED;
        }
        boolean isAtRest =
                status.blueGreenState()
                        .filter(
                                state ->
                                        state == BlueGreenState.ACTIVE_BLUE
                                                || state == BlueGreenState.ACTIVE_GREEN)
                        .isPresent();
        boolean isReady =
                isAtRest
                        && status.jobState()
                                .filter(state -> state != JobState.RECONCILING)
                                .isPresent();
        return isReady ? Verdict.READY : Verdict.AT_WORK;
    }
}
