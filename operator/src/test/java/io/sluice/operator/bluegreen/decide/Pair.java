// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.status.Condition;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.manifest.Room;
import io.sluice.operator.bluegreen.analysis.Figures;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Refusal;
import io.sluice.operator.model.SpecView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A pair as a test brings it into a situation, one step after the other. */
record Pair(PairObservedState observed) {
    static final Instant CREATED = Instant.parse("2026-03-01T12:00:00Z");
    static final Duration GRACE = Duration.ofMinutes(10);
    static final String PATH = "s3://b/savepoint-1";

    /** A quota that has no place for a second half. */
    static final Room FULL =
            new Room(
                    Map.of("pods", BigDecimal.TWO),
                    List.of(new Room.Quota("team", Map.of("pods", BigDecimal.ONE))));

    static final URI AT = URI.create("http://jm");

    private static final String CONFIGURATION = "kubernetes.operator.";

    static Pair aNewPair() {
        return of("savepoint", "overlap");
    }

    static Pair aStatelessPair() {
        return of("stateless", "overlap");
    }

    static Pair aPairThatStopsFirst() {
        return of("savepoint", "stop-first");
    }

    private static Pair of(String upgradeMode, String handover) {
        return new Pair(
                new PairObservedState(
                        new PairObservedState.Identity("ns", "orders", "pair-uid", 1, false),
                        PairSpec.of(
                                yaml(
                                        """
                                        configuration:
                                          kubernetes.operator.bluegreen.handover: %s
                                        template:
                                          spec:
                                            image: v1
                                            job: {jarURI: 'local:///a.jar', state: running, upgradeMode: %s}
                                        """
                                                .formatted(handover, upgradeMode))),
                        Optional.empty(),
                        FlinkBlueGreenDeploymentStatus.NEW,
                        new HalfView.Absent(),
                        new HalfView.Absent(),
                        new AsyncResult.NotAsked(),
                        Figures.UNKNOWN,
                        Optional.empty(),
                        Room.NOT_ASKED,
                        PairObservedState.SnapshotUse.NONE,
                        Set.of(),
                        Optional.empty(),
                        new Polls(Duration.ofMinutes(1), Duration.ofSeconds(10)),
                        CREATED));
    }

    /** A pair whose half of that color is active and runs. */
    Pair active(HalfColor color) {
        return withStatus(
                        observed.status()
                                .with()
                                .blueGreenState(Optional.of(BlueGreenState.active(color)))
                                .lastReconciledSpec(Optional.of(observed.wish().encode()))
                                .conditions(conditions(Reason.JOB_RUNNING))
                                .build())
                .with(color, steady("former"));
    }

    /** A pair whose blue half makes the savepoint for another image. */
    Pair saving() {
        return active(HalfColor.BLUE).wishing("image", "v2").decided();
    }

    /** A pair whose green half is being started from the savepoint of the blue one. */
    Pair starting() {
        return saving().saved().decided();
    }

    /** A pair whose green half has come up. */
    Pair started() {
        return starting().withNew(HalfView.Condition.STEADY).decided();
    }

    static Half steady(String mark) {
        return half(mark, HalfView.Condition.STEADY);
    }

    static Half half(String mark, HalfView.Condition condition) {
        return new Half(
                "uid-" + mark,
                condition,
                "",
                Optional.of(mark),
                condition != HalfView.Condition.SUSPENDED,
                condition != HalfView.Condition.BROKEN,
                Optional.of("job-" + mark),
                Optional.of(AT),
                Optional.empty(),
                yaml("{image: v1, job: {state: running, upgradeMode: savepoint}}"));
    }

    Pair with(HalfColor color, HalfView half) {
        return new Pair(
                color == HalfColor.BLUE ? observed.withBlue(half) : observed.withGreen(half));
    }

    /** The half of the transition in progress, which bears its mark. */
    Pair withNew(HalfView.Condition condition) {
        PairTransition transition = transition();
        return with(transition.to(), half(transition.id(), condition));
    }

    Pair withStatus(FlinkBlueGreenDeploymentStatus status) {
        return new Pair(observed.withStatus(status));
    }

    /** The user edits the template. */
    Pair wishing(String field, String value) {
        ObjectNode raw = observed.wish().raw().deepCopy();
        raw.withObject("/template/spec").set(field, yaml("{v: " + value + "}").get("v"));
        return edited(raw);
    }

    Pair wishingJob(String field, String value) {
        ObjectNode raw = observed.wish().raw().deepCopy();
        raw.withObject("/template/spec/job").set(field, yaml("{v: " + value + "}").get("v"));
        return edited(raw);
    }

    Pair configured(String key, String value) {
        ObjectNode raw = observed.wish().raw().deepCopy();
        raw.withObject("/configuration").put(CONFIGURATION + key, value);
        return edited(raw);
    }

    private Pair edited(ObjectNode raw) {
        return new Pair(
                observed.with()
                        .wish(PairSpec.of(raw))
                        .identity(
                                observed.identity()
                                        .withGeneration(observed.identity().generation() + 1))
                        .build());
    }

    Pair answering(AsyncResult answer) {
        return new Pair(observed.withSavepoint(answer));
    }

    Pair saved() {
        return answering(new AsyncResult.Done(Optional.of(PATH)));
    }

    Pair withRoom(Room room) {
        return new Pair(observed.withRoom(room));
    }

    Pair refused(String why) {
        return new Pair(observed.withRefusal(Optional.of(new Refusal(why, 1, observed.now()))));
    }

    Pair objectedTo(String problem) {
        return new Pair(
                observed.withObjection(Optional.of(new SpecView.Invalid(List.of(problem)))));
    }

    /** The validators of plugins say something else than that the spec is right. */
    Pair objectedTo(Reason reason) {
        return new Pair(
                observed.withObjection(Optional.of(new SpecView.Invalid(reason, List.of()))));
    }

    Pair approved(long generation) {
        return new Pair(observed.withPromoted(Optional.of(generation)));
    }

    Pair misled(HalfColor... colors) {
        return new Pair(observed.withMisled(Set.of(colors)));
    }

    Pair counting(Figures figures) {
        return new Pair(observed.withFigures(figures));
    }

    Pair later(Duration time) {
        return new Pair(observed.withNow(observed.now().plus(time)));
    }

    PairDecision decide() {
        return PairDecider.decide(observed);
    }

    /** The one action that is decided on. */
    <A extends PairAction> A onlyAction(Class<A> kind) {
        List<PairAction> actions = decide().actions();
        assertThat(actions).singleElement().isInstanceOf(kind);
        return kind.cast(actions.getFirst());
    }

    /** Where the job of a half starts from; empty for nothing. */
    static String path(PairAction.HalfPlan plan) {
        return plan.spec().at("/job/initialSavepointPath").asText("");
    }

    /** What was decided is on record. */
    Pair decided() {
        return decided(decide());
    }

    Pair decided(PairDecision decision) {
        return withStatus(
                FlinkBlueGreenDeploymentStatus.of(
                        decision.status()
                                .withConditions(conditions(decision.reason()))
                                .onto(JsonNodeFactory.instance.objectNode())));
    }

    PairTransition transition() {
        return observed.status().transition().orElseThrow();
    }

    TransitionPhase phase() {
        return transition().phase();
    }

    /** The image of the spec that the transition carries out. */
    String recordedImage() {
        return PairDraft.of(observed, observed.status())
                .recorded()
                .halfRaw()
                .path("image")
                .asText();
    }

    BlueGreenState state() {
        return observed.status().blueGreenState().orElseThrow();
    }

    private List<Condition> conditions(Reason reason) {
        return List.of(
                new Condition(
                        "Ready",
                        Condition.Status.TRUE,
                        reason.wire(),
                        "",
                        observed.now(),
                        Optional.empty()));
    }

    static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(text);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
