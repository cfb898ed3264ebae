// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.operator.deployment.simulation.SimulatedNode;
import io.sluice.operator.deployment.simulation.habits.PodTroubles;
import io.sluice.operator.world.Disturbances;
import io.sluice.operator.world.OperatorProcesses;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.ApiRefusal;
import io.sluice.testkit.apiserver.CallFault;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import io.sluice.testkit.apiserver.WatchConnection;
import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.Environment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * An API server with one FlinkBlueGreenDeployment, its halves with their Flink, the processes of
 * the operator, and users.
 */
final class PairWorld implements SimulatedNode.World {
    static final String NAME = "orders";

    /** Says which half a FlinkDeployment is. */
    static final String COLOR_LABEL = "flink/blue-green-deployment-type";

    /** Holds the id of the transition that made or changed a half last. */
    static final String MARK = "sluice.io/transition";

    /** For so long an API server works on a request, by its default. */
    private static final Duration LATEST = Duration.ofMinutes(1);

    private static final int FORBIDDEN = 403;

    private final Environment environment;
    private final Disturbances disturbances;
    private final Set<PairFlaws> flaws;
    private final InMemoryApiServer api;
    private final String namespace;
    private final DefaultConfiguration defaults =
            new DefaultConfiguration(new FlinkConfiguration(Map.of()));
    private final OperatorProcesses<PairOperator> processes;
    private final Map<HalfColor, Half> halves = new EnumMap<>(HalfColor.class);
    private final List<WatchConnection> events = new ArrayList<>();
    private final PairPromises promises;
    private final PairSnapshots snapshots;
    private final PairAnalysis analysis;
    private final ToldEvents told = new ToldEvents(this);
    private final PairQuota quota;
    private final PodTroubles troubles;
    private final PairHalves deployed;
    private final PairRefusals refusals;
    private ObjectNode spec;
    private int names;

    /** Since when a call is on its way whose sender has given up. */
    private Optional<Instant> late = Optional.empty();

    private boolean isCalm;
    private boolean isUsers;
    private Optional<FlinkBlueGreenDeployment> resource = Optional.empty();
    private Optional<String> violation = Optional.empty();

    PairWorld(Environment environment, Disturbances disturbances, Set<PairFlaws> flaws) {
        this.environment = environment;
        this.disturbances = disturbances;
        this.flaws = flaws;
        api = new InMemoryApiServer(dice().below(Integer.MAX_VALUE), environment.clock());
        api.hideManagers(FlinkBlueGreenDeployment.class);
        api.hideManagers(FlinkDeployment.class);
        api.hideManagers(Pod.class);
        api.hideManagers(FlinkStateSnapshot.class);
        namespace = api.newNamespace();
        troubles = new PodTroubles(this, environment.diceOf("pods"));
        deployed = new PairHalves(this);
        processes =
                new OperatorProcesses<>(
                        this,
                        environment.clock(),
                        () -> new PairOperator(this, flaws),
                        this::goOnBesides);
        quota = new PairQuota(this);
        refusals = new PairRefusals(this, environment.diceOf("refusals"));
        Handover handover = dice().chance(50) ? Handover.OVERLAP : Handover.STOP_FIRST;
        boolean isStateful = dice().chance(75);
        boolean hasSnapshots = dice().chance(80);
        spec = spec(handover, isStateful, hasSnapshots);
        promises = new PairPromises(this, handover, isStateful);
        snapshots = new PairSnapshots(this, hasSnapshots);
        analysis = PairAnalysis.of(this, spec.withObject("/configuration"));
        watch(FlinkBlueGreenDeployment.class, (isThere, it) -> sees(isThere, it));
        watch(FlinkDeployment.class, this::sees);
        watch(FlinkStateSnapshot.class, snapshots::saw);
        api.faults(processes::fault);
        api.admit(this::review);
        processes.begin();
    }

    private ObjectNode spec(Handover handover, boolean isStateful, boolean hasSnapshots) {
        ObjectNode made = JsonNodeFactory.instance.objectNode();
        made.putObject("configuration")
                .put("kubernetes.operator.bluegreen.handover", handover.wire())
                .put(
                        "kubernetes.operator.bluegreen.deployment-deletion.delay",
                        dice().pick(List.of(0, 0, 60, 300)) + " s");
        ObjectNode half =
                made.putObject("template")
                        .putObject("spec")
                        .put("flinkVersion", "v1_20")
                        .put("serviceAccount", "flink");
        half.putObject("job")
                .put("jarURI", "local:///opt/flink/usrlib/a.jar")
                .put("parallelism", 1)
                .put("state", "running")
                .put("upgradeMode", isStateful ? "savepoint" : "stateless");
        for (String component : List.of("jobManager", "taskManager")) {
            half.putObject(component).putObject("resource").put("cpu", 0.1).put("memory", "1g");
        }
        ObjectNode options =
                half.putObject("flinkConfiguration")
                        .put("execution.checkpointing.savepoint-dir", "s3://s")
                        .put("execution.checkpointing.dir", "s3://c")
                        .put("kubernetes.operator.snapshot.resource.enabled", "" + hasSnapshots);
        PairHalves.use(half, "good-1");
        PairHalves.keepState(options);
        return made;
    }

    private <T extends HasMetadata> void watch(Class<T> kind, BiConsumer<Boolean, T> changed) {
        events.add(api.watch(kind, namespace, "", changed));
    }

    /** The world knows at once what is stored. */
    void receive() {
        events.forEach(
                each -> {
                    while (each.deliver()) {
                        // until there is nothing new
                    }
                });
    }

    private void sees(boolean isThere, FlinkBlueGreenDeployment next) {
        resource = Optional.of(next).filter(_ -> isThere);
        promises.saw(next);
    }

    private void sees(boolean isThere, FlinkDeployment next) {
        HalfColor color = color(next);
        Optional<Half> known =
                half(color).filter(it -> it.uid().equals(next.getMetadata().getUid()));
        if (known.isEmpty()) {
            if (isThere) {
                halves.put(color, deployed.flink(color).begins(next, !isUsers));
            }
            return;
        }
        Half half = known.get();
        boolean isLeaving = !isThere || next.getMetadata().getDeletionTimestamp() != null;
        if (!isUsers && isLeaving && !half.isDeleting()) {
            promises.deleted(color, half);
        } else if (!isUsers && !isLeaving && isChanged(half.stored(), next)) {
            promises.changed(color, half, next);
        }
        half.sees(next);
        if (!isThere) {
            halves.remove(color);
        }
    }

    static HalfColor color(FlinkDeployment half) {
        return half.getMetadata().getName().equals(HalfColor.BLUE.nameIn(NAME))
                ? HalfColor.BLUE
                : HalfColor.GREEN;
    }

    private static boolean isChanged(FlinkDeployment before, FlinkDeployment next) {
        return !before.getSpec().equals(next.getSpec())
                || !before.getMetadata()
                        .getAnnotations()
                        .equals(next.getMetadata().getAnnotations())
                || !before.getMetadata().getLabels().equals(next.getMetadata().getLabels());
    }

    @Override
    public Dice dice() {
        return environment.dice();
    }

    @Override
    public boolean strikes(int percent) {
        return disturbances.strikes(percent);
    }

    @Override
    public Instant now() {
        return environment.clock().instant();
    }

    long nanos() {
        return environment.clock().nanos();
    }

    @Override
    public void trace(String line) {
        environment.trace().add("      " + line);
    }

    @Override
    public InMemoryApiServer api() {
        return api;
    }

    @Override
    public KubernetesClient client() {
        return api.client();
    }

    @Override
    public String namespace() {
        return namespace;
    }

    DefaultConfiguration defaults() {
        return defaults;
    }

    Set<PairFlaws> flaws() {
        return flaws;
    }

    OperatorProcesses<PairOperator> processes() {
        return processes;
    }

    PairPromises promises() {
        return promises;
    }

    PairSnapshots snapshots() {
        return snapshots;
    }

    PairAnalysis analysis() {
        return analysis;
    }

    ToldEvents told() {
        return told;
    }

    PairQuota quota() {
        return quota;
    }

    /** None of them. */
    @Override
    public PodTroubles troubles() {
        return troubles;
    }

    @Override
    public String newName() {
        return "%012x".formatted(++names);
    }

    /** What runs of the halves. */
    PairHalves deployed() {
        return deployed;
    }

    Optional<Half> half(HalfColor color) {
        return Optional.ofNullable(halves.get(color));
    }

    Collection<Half> halves() {
        return List.copyOf(halves.values());
    }

    /** As the API server has it. */
    Optional<FlinkBlueGreenDeployment> resource() {
        return resource;
    }

    /** What the user asks for. */
    ObjectNode spec() {
        return spec;
    }

    /** Nothing fails any more. */
    void calm() {
        isCalm = true;
        snapshots.refuses(false);
    }

    boolean isCalm() {
        return isCalm;
    }

    void violated(String problem) {
        violation = violation.or(() -> Optional.of(problem));
    }

    Optional<String> violation() {
        return violation;
    }

    /** Where a savepoint is. */
    Optional<String> anyPath() {
        List<String> paths = deployed.savepoints();
        return paths.isEmpty() ? Optional.empty() : Optional.of(dice().pick(paths));
    }

    /** Whether the quota refuses a pod of a half, as the other one takes what there is. */
    private boolean lacksRoom(ObjectNode pod) {
        String name = pod.at("/metadata/labels/app").asText();
        return quota.isFull()
                && halves.entrySet().stream()
                        .anyMatch(
                                it ->
                                        !it.getKey().nameIn(NAME).equals(name)
                                                && it.getValue().isLive());
    }

    @Override
    public <T> T quietly(Supplier<T> look) {
        return processes.quietly(look);
    }

    /** Users and controllers act, and the world knows that it was not the operator. */
    void byOthers(Runnable act) {
        receive();
        boolean before = isUsers;
        isUsers = true;
        try {
            quietly(
                    () -> {
                        act.run();
                        return true;
                    });
            receive();
        } finally {
            isUsers = before;
        }
    }

    void patchStatus(HasMetadata object, ObjectNode status) {
        byOthers(
                () -> {
                    String text = Serialization.asJson(Map.of("status", status));
                    if (!api.patch(object, "status", PatchType.JSON_MERGE, text)) {
                        throw new IllegalStateException("there is no " + object);
                    }
                });
    }

    private void review(ApiCall call, ObjectNode object) {
        String kind = call.type().plural();
        if (kind.equals("pods") && call.verb() == ApiCall.Verb.CREATE && lacksRoom(object)) {
            throw new ApiRefusal(FORBIDDEN, "Forbidden", "exceeded quota");
        }
        if (!processes.isActing()) {
            return;
        }
        if (kind.equals("flinkstatesnapshots")) {
            snapshots.review(call, object);
        }
        boolean isNewHalf = kind.equals("flinkdeployments") && call.verb() == ApiCall.Verb.CREATE;
        if (isNewHalf) {
            refusals.review(call, object.at("/metadata/name").asText());
        }
        if (isNewHalf && flaws.contains(PairFlaws.SAVEPOINT_DROPPED)) {
            object.withObject("/spec/job").remove("initialSavepointPath");
        }
    }

    /** A process of the operator begins to look at the pair. */
    void beginsPass() {
        quota.beginsPass();
        analysis.beginsPass();
    }

    /** The controllers of Kubernetes, the node and Flink take a turn. */
    void step() {
        receive();
        deployed.step();
        halves().forEach(Half::step);
        refusals.step();
        promises.check();
    }

    /** Others act between two calls of a process, or another process takes over. */
    void meanwhile(PairOperator process) {
        receive();
        processes.meanwhile(process);
    }

    private void goOnBesides() {
        pass(Duration.ZERO);
        step();
    }

    void pass(Duration time) {
        receive();
        if (late.filter(since -> now().plus(time).isAfter(since.plus(LATEST))).isPresent()) {
            carryOutLateCalls();
        }
        environment.clock().advance(time);
    }

    /** What befalls a call of the operator. */
    void befalls(CallFault fault) {
        told.mishap();
        if (fault instanceof CallFault.Late) {
            late = late.or(() -> Optional.of(now()));
        }
    }

    /** Calls arrive whose senders have given up. */
    void carryOutLateCalls() {
        receive();
        late = Optional.empty();
        quota.isForgotten();
        quietly(
                () -> {
                    api.carryOutLateCalls();
                    return true;
                });
        receive();
    }

    void create() {
        var made = new FlinkBlueGreenDeployment();
        made.getMetadata().setNamespace(namespace);
        made.getMetadata().setName(NAME);
        made.setSpec(spec.deepCopy());
        byOthers(() -> client().resource(made).create());
    }

    /** The user has another wish. */
    void edit(ObjectNode next) {
        if (next.equals(spec)) {
            return;
        }
        if (!imageOf(next).equals(imageOf(spec))) {
            halves().forEach(half -> half.note(imageOf(next)));
        }
        spec = next;
        trace("a user writes " + next.at("/template/spec/image") + next.at("/template/spec/job"));
        var edited = new FlinkBlueGreenDeployment();
        edited.getMetadata().setNamespace(namespace);
        edited.getMetadata().setName(NAME);
        edited.setSpec(next.deepCopy());
        byOthers(() -> client().resource(edited).update());
    }

    private static String imageOf(ObjectNode spec) {
        return spec.at("/template/spec/image").asText();
    }

    /** Somebody else has a FlinkDeployment of the name of a half. */
    void occupy() {
        var foreign = new FlinkDeployment();
        foreign.getMetadata().setNamespace(namespace);
        foreign.getMetadata().setName(HalfColor.GREEN.nameIn(NAME));
        foreign.setSpec(spec.withObject("/template/spec").deepCopy());
        PairHalves.use(foreign.getSpec(), "good-0");
        if (flaws.contains(PairFlaws.FOREIGN_IS_OURS)) {
            foreign.getMetadata().setOwnerReferences(List.of(owner(resource.orElseThrow())));
        }
        byOthers(() -> client().resource(foreign).create());
    }

    private static OwnerReference owner(FlinkBlueGreenDeployment pair) {
        return new OwnerReferenceBuilder()
                .withApiVersion(pair.getApiVersion())
                .withKind(pair.getKind())
                .withName(NAME)
                .withUid(pair.getMetadata().getUid())
                .withController(true)
                .build();
    }

    /** The name is free again. */
    void free() {
        halves().stream()
                .filter(half -> !half.isOurs())
                .forEach(
                        half ->
                                byOthers(
                                        () -> {
                                            client().resource(half.stored()).delete();
                                        }));
    }
}
