// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.manifest.Room;
import io.sluice.operator.bluegreen.decide.PairAction;
import io.sluice.operator.model.AsyncResult;
import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.Faults;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A pair as the API server stores it, its halves, their JobManagers, and what must hold of them.
 */
final class SimulatedPair {
    static final String UID = "pair-uid";

    private static final String NONCE = "/job/savepointRedeployNonce";

    private final Environment environment;
    private final Instant start;
    private final Handover handover;
    private final boolean isStateful;
    private final Map<HalfColor, SimulatedHalf> halves = new EnumMap<>(HalfColor.class);
    private final Map<String, Long> storage = new HashMap<>();
    private final Map<String, AsyncResult> triggers = new HashMap<>();
    private ObjectNode spec;
    private long generation = 1;
    private ObjectNode status = JsonNodeFactory.instance.objectNode();
    private int version;
    private int uids;
    private boolean everRan;
    private boolean wasWished;
    private boolean isFull;
    private boolean isCalm;
    private final boolean isWhole;
    private final SimulatedSnapshots snapshots;
    private final SimulatedAnalysis analysis;
    private final ToldEvents told;
    private Optional<String> violation = Optional.empty();

    /**
     * @param isWhole whether there are snapshots and analyses; seeds from before there were any
     *     have none
     */
    SimulatedPair(
            Environment environment,
            Handover handover,
            boolean isStateful,
            Duration delay,
            boolean isWhole,
            Set<PairFlaws> flaws) {
        this.environment = environment;
        this.handover = handover;
        this.isStateful = isStateful;
        this.isWhole = isWhole;
        snapshots =
                new SimulatedSnapshots(this, isWhole && environment.besides().chance(80), flaws);
        told = new ToldEvents(this);
        start = environment.clock().instant().minusSeconds(1);
        spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("configuration")
                .put("kubernetes.operator.bluegreen.handover", handover.wire())
                .put(
                        "kubernetes.operator.bluegreen.deployment-deletion.delay",
                        delay.toSeconds() + " s");
        ObjectNode half = spec.putObject("template").putObject("spec");
        half.put("image", "good-1");
        half.putObject("job")
                .put("state", "running")
                .put("upgradeMode", isStateful ? "savepoint" : "stateless");
        analysis =
                isWhole
                        ? SimulatedAnalysis.of(this, spec.withObject("/configuration"), flaws)
                        : SimulatedAnalysis.none(this);
    }

    Dice besides() {
        return environment.besides();
    }

    /** Whether a fault happens that seeds of before do not know. */
    boolean strikes(int percent) {
        return isWhole && !isCalm && besides().chance(percent);
    }

    /** Nothing fails any more. */
    void calm() {
        isCalm = true;
        snapshots.refuses(false);
    }

    boolean isCalm() {
        return isCalm;
    }

    SimulatedSnapshots snapshots() {
        return snapshots;
    }

    SimulatedAnalysis analysis() {
        return analysis;
    }

    ToldEvents told() {
        return told;
    }

    /** What happens to snapshots whatever the operator does. */
    void happens() {
        if (strikes(3)) {
            snapshots.deleteOne();
        }
        if (strikes(2)) {
            snapshots.refuses(besides().chance(40));
        }
    }

    /** A half was stopped with a savepoint, which its own operator registers. */
    void stopped(String name, String path) {
        if (snapshots.areEnabled()) {
            snapshots.registers(name, path);
        }
    }

    /** How many records wait at the sources of a half with this image. */
    Optional<Double> pending(String image) {
        if (!isWhole) {
            return Optional.empty();
        }
        return isCalm || image.equals("good-final")
                ? Optional.of(0.0)
                : besides()
                        .pick(
                                List.of(
                                        Optional.of(0.0),
                                        Optional.of(2000.0),
                                        Optional.of(9000.0),
                                        Optional.<Double>empty()));
    }

    Dice dice() {
        return environment.dice();
    }

    Faults faults() {
        return environment.faults();
    }

    Instant now() {
        return environment.clock().instant();
    }

    /** So many seconds of the world's input there are. */
    long seconds() {
        return Duration.between(start, now()).toSeconds();
    }

    Map<HalfColor, SimulatedHalf> halves() {
        return halves;
    }

    ObjectNode spec() {
        return spec;
    }

    long generation() {
        return generation;
    }

    ObjectNode status() {
        return status;
    }

    int version() {
        return version;
    }

    boolean isStateful() {
        return isStateful;
    }

    String nextUid() {
        return "uid-" + ++uids;
    }

    /** The user has another wish. */
    void edit(ObjectNode next) {
        if (next.equals(spec)) {
            return;
        }
        if (!imageOf(next).equals(imageOf(spec))) {
            halves.values().forEach(half -> half.note(imageOf(next)));
        }
        spec = next;
        generation++;
        version++;
    }

    private static String imageOf(ObjectNode spec) {
        return spec.at("/template/spec/image").asText();
    }

    /** Whether the quota of the namespace has no place for a second half. */
    void fills(boolean isFull) {
        this.isFull = isFull;
    }

    Room room() {
        BigDecimal left = isFull ? BigDecimal.ONE : BigDecimal.TEN;
        return new Room(
                Map.of("pods", BigDecimal.TWO),
                List.of(new Room.Quota("team", Map.of("pods", left))));
    }

    /** Whether no pod of a half is made, for the other one takes what there is. */
    boolean lacksRoom(SimulatedHalf half) {
        return isFull && halves.values().stream().anyMatch(it -> it != half && it.isLive());
    }

    /** Stores a status, unless the pair has changed since {@code read}. */
    boolean save(ObjectNode next, int read, boolean checksVersion) {
        if (checksVersion && read != version) {
            return false;
        }
        if (!next.equals(status)) {
            boolean begins = !isHandedOver(status) && isHandedOver(next);
            if (begins && isFull && handover == Handover.OVERLAP) {
                violated("a transition begins that the quota has no room for");
            }
            snapshots.stored(status, next);
            analysis.stored(status, next);
            told.stored(status, next);
            status = next;
            version++;
            transition().ifPresent(begun -> halves.values().forEach(half -> half.note(begun.id())));
        }
        return true;
    }

    private static boolean isHandedOver(ObjectNode status) {
        return FlinkBlueGreenDeploymentStatus.of(status)
                .transition()
                .map(PairTransition::phase)
                .filter(
                        phase ->
                                phase == TransitionPhase.SAVING
                                        || phase == TransitionPhase.STARTING
                                        || phase == TransitionPhase.PROVING
                                        || phase == TransitionPhase.APPROVAL)
                .isPresent();
    }

    Optional<PairTransition> transition() {
        return FlinkBlueGreenDeploymentStatus.of(status)
                .transition()
                .filter(transition -> !transition.isOver());
    }

    long positionOf(String path) {
        return storage.getOrDefault(path, 0L);
    }

    String stored(long position) {
        String path = "s3://s/" + storage.size();
        storage.put(path, position);
        return path;
    }

    Optional<String> anyPath() {
        List<String> paths =
                storage.keySet().stream()
                        .filter(path -> !snapshots.isDisposed(path))
                        .sorted()
                        .toList();
        return paths.isEmpty() ? Optional.empty() : Optional.of(dice().pick(paths));
    }

    void trigger(String jobId, String triggerId) {
        boolean isThere =
                halves.values().stream()
                        .anyMatch(half -> half.isLive() && half.jobId().equals(jobId));
        if (isThere) {
            triggers.putIfAbsent(jobId + "/" + triggerId, new AsyncResult.Pending());
        }
    }

    AsyncResult answer(String jobId, String triggerId) {
        return triggers.getOrDefault(jobId + "/" + triggerId, new AsyncResult.Unknown());
    }

    void losesTriggers(String jobId) {
        triggers.keySet().removeIf(key -> key.startsWith(jobId + "/"));
        snapshots.forgotten(jobId);
    }

    /** Operators of the halves, Flink, and the garbage collector take a turn. */
    void step() {
        halves.values().forEach(SimulatedHalf::step);
        halves.values().removeIf(SimulatedHalf::isGone);
        everRan |= halves.values().stream().anyMatch(half -> half.isOurs() && half.wasSteady());
        triggers.replaceAll(
                (key, answer) ->
                        answer instanceof AsyncResult.Pending && dice().chance(50)
                                ? result(key)
                                : answer);
        check();
    }

    private AsyncResult result(String key) {
        if (faults().strikes(20)) {
            return new AsyncResult.Failed("disk full");
        }
        return halves.values().stream()
                .filter(half -> key.startsWith(half.jobId() + "/"))
                .findFirst()
                .<AsyncResult>map(
                        half -> {
                            String path = stored(half.position());
                            snapshots.made(key, path);
                            return new AsyncResult.Done(Optional.of(path));
                        })
                .orElseGet(() -> new AsyncResult.Failed("the job is gone"));
    }

    void startsFromNothing(SimulatedHalf half) {
        if (isStateful && everRan && half.isOurs()) {
            violated("a half starts from nothing although there is state");
        }
    }

    void violated(String problem) {
        violation = violation.or(() -> Optional.of(problem));
    }

    Optional<String> violation() {
        return violation;
    }

    private void check() {
        List<SimulatedHalf> live =
                halves.values().stream()
                        .filter(SimulatedHalf::isOurs)
                        .filter(SimulatedHalf::isLive)
                        .toList();
        if (live.size() < 2) {
            return;
        }
        if (handover == Handover.STOP_FIRST) {
            violated("both halves run, though the former is to be stopped first");
        }
        boolean isMeant =
                transition()
                                .map(PairTransition::phase)
                                .filter(phase -> bothMayRun(phase))
                                .isPresent()
                        || live.stream().anyMatch(half -> half.isDeleting() || !half.wantsToRun());
        if (!isMeant) {
            violated("both halves run, and no transition is on record");
        }
    }

    private static boolean bothMayRun(TransitionPhase phase) {
        return switch (phase) {
            case STARTING, PROVING, APPROVAL, RETIRING, REMOVING, ABORTING -> true;
            case FIRST, IN_PLACE, PREPARING, SAVING, RESUMING, ENDED -> false;
        };
    }

    /** Before an action takes place: what is on record has to allow for it. */
    void acts(PairAction action) {
        switch (action) {
            case PairAction.ApplyHalf(var color, _, var plan) -> touches(color, false, plan.spec());
            case PairAction.DeleteHalf(var color, var uid) -> {
                touches(color, true, spec);
                Optional.ofNullable(halves.get(color))
                        .filter(half -> half.uid().equals(uid))
                        .ifPresent(half -> deletes(color, half));
            }
            case PairAction.CreateHalf _,
                    PairAction.TriggerSavepoint _,
                    PairAction.RegisterSavepoint _,
                    PairAction.LeadTo _ -> {}
        }
    }

    private void touches(HalfColor color, boolean deletes, ObjectNode with) {
        Optional<PairTransition> recorded = transition();
        boolean isActive =
                recorded.flatMap(PairTransition::from).equals(Optional.of(color))
                        || (recorded.isEmpty()
                                && FlinkBlueGreenDeploymentStatus.of(status)
                                        .blueGreenState()
                                        .flatMap(state -> state.half())
                                        .equals(Optional.of(color)));
        if (!isActive) {
            return;
        }
        boolean isAllowed =
                recorded.map(PairTransition::phase)
                        .filter(
                                phase ->
                                        deletes
                                                ? phase == TransitionPhase.REMOVING
                                                : phase == TransitionPhase.IN_PLACE
                                                        || phase == TransitionPhase.RESUMING
                                                        || (phase == TransitionPhase.SAVING
                                                                && handover == Handover.STOP_FIRST))
                        .isPresent();
        if (!isAllowed) {
            violated("the active half is touched in " + recorded.map(PairTransition::phase));
        }
        boolean isSuspended = with.at("/job/state").asText("").equals("suspended");
        boolean isWished =
                spec.at("/template/spec/job/state").asText("").equals("suspended")
                        || recorded.filter(it -> it.phase() == TransitionPhase.SAVING).isPresent();
        boolean isInPlace =
                recorded.filter(it -> it.phase() == TransitionPhase.IN_PLACE).isPresent();
        if (isSuspended && isInPlace && !isWished && !wasWished) {
            violated("the active half is suspended though nobody asks for that");
        }
    }

    /** The user has asked for a suspended job at some time: an old record may say so. */
    void wishesSuspension() {
        wasWished = true;
    }

    private void deletes(HalfColor color, SimulatedHalf half) {
        if (!half.isOurs()) {
            violated("a FlinkDeployment of somebody else is deleted");
        }
        boolean isFormer = transition().flatMap(PairTransition::from).equals(Optional.of(color));
        if (!isFormer || half.isDeleting()) {
            return;
        }
        SimulatedHalf other = halves.get(color.other());
        if (other == null || other.isDeleting() || !other.wasSteady()) {
            violated("the former half is deleted before the other one has run");
        } else if (isStateful
                && !isRedeployed(other, half)
                && other.base() < leastStart(other, half)) {
            violated(
                    "state is lost: the other half goes on from %d, the former was at %d"
                            .formatted(other.base(), leastStart(other, half)));
        }
    }

    /**
     * How far the other half has to be from its start on. Its savepoint was made for this
     * transition, so after that was recorded, and for the spec that it has, so after somebody asked
     * for that first. A wish that is taken back before the operator has recorded it changes
     * neither, and the savepoint of before serves: the other half reads on from there.
     */
    private long leastStart(SimulatedHalf other, SimulatedHalf former) {
        long atBegin = transition().map(PairTransition::id).map(former::positionAt).orElse(0L);
        return Math.max(atBegin, former.positionAt(other.image()));
    }

    /** The user has named where the other half starts from, and nothing but that counts. */
    private static boolean isRedeployed(SimulatedHalf other, SimulatedHalf former) {
        JsonNode nonce = other.spec().at(NONCE);
        return nonce.isNumber() && !nonce.equals(former.spec().at(NONCE));
    }
}
