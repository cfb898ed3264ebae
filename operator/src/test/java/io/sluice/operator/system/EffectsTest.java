// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.manifest.ClusterPlan;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.act.KubernetesEffects;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Action.Propagation;
import io.sluice.operator.observe.JobManagerScaleDown;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.RejectedManifests;
import io.sluice.testkit.TestCluster;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Single effects, at moments that a whole operator comes to only if it stands still between two
 * lines: what it has read is not what is there any more.
 */
class EffectsTest {
    private static final String NAME = "orders";
    private static final String ATTEMPT = "a".repeat(32);
    private static final String LATER = "b".repeat(32);
    private static final String JOB = "c".repeat(32);
    private static final String OTHER_JOB = "d".repeat(32);
    private static final String LEADER = "control-plane.alpha.kubernetes.io/leader";
    private static final String CHECKPOINT = "checkpointID-0000000000000000007";

    private final RejectedManifests rejectedManifests =
            new RejectedManifests(InstantSource.system());
    private final AtomicLong nanos = new AtomicLong();
    private final ObservationMemory memory = new ObservationMemory(nanos::get);
    private Duration pause = Duration.ZERO;
    private KubernetesClient client;
    private KubernetesEffects effects;
    private Kubelet kubelet;
    private String namespace;
    private FlinkDeployment resource;

    TestCluster cluster() {
        return new InMemoryApiServer(1, InstantSource.system());
    }

    @BeforeEach
    void start() {
        TestCluster cluster = cluster();
        client = cluster.client();
        namespace = cluster.newNamespace();
        kubelet = new Kubelet(client, namespace);
        effects =
                new KubernetesEffects(
                        client,
                        new FakeJobManager(),
                        RunningOperator::address,
                        rejectedManifests,
                        memory,
                        new ChildObjects(
                                client,
                                () -> {
                                    nanos.addAndGet(pause.toNanos());
                                    return Executors.newVirtualThreadPerTaskExecutor();
                                },
                                () -> {}));
        resource = create();
    }

    @Test
    void deletesTheDeploymentThatWasSeenAndNoLaterOneOfItsName() {
        String seen = uid(created(ATTEMPT));
        client.apps().deployments().inNamespace(namespace).withName(NAME).delete();
        Deployment later = created(LATER);

        effects.perform(resource, new Action.DeleteCluster(seen, Propagation.BACKGROUND));

        assertThat(kubelet.deployment(NAME))
                .hasValueSatisfying(found -> assertThat(uid(found)).isEqualTo(uid(later)));

        effects.perform(resource, new Action.DeleteCluster(uid(later), Propagation.BACKGROUND));

        assertThat(kubelet.deployment(NAME)).isEmpty();
    }

    @Test
    void deletesNothingForAPassThatIsSuperseded() {
        Deployment standing = created(ATTEMPT);
        FlinkDeployment read = latest();
        supersede();

        effects.perform(read, new Action.DeleteCluster(uid(standing), Propagation.BACKGROUND));

        assertThat(kubelet.deployment(NAME)).isPresent();
    }

    @Test
    void scalesTheDeploymentThatWasSeenToZeroAndNoLaterOneOfItsName() {
        String seen = uid(created(ATTEMPT));
        client.apps().deployments().inNamespace(namespace).withName(NAME).delete();
        Deployment later = created(LATER);

        effects.perform(latest(), new Action.StopJobManager(seen));

        assertThat(kubelet.deployment(NAME)).contains(later);

        effects.perform(latest(), new Action.StopJobManager(uid(later)));

        assertThat(kubelet.deployment(NAME))
                .hasValueSatisfying(
                        found -> {
                            assertThat(uid(found)).isEqualTo(uid(later));
                            assertThat(found.getSpec().getReplicas()).isZero();
                            assertThat(found.getMetadata().getAnnotations())
                                    .containsKey(JobManagerScaleDown.ANNOTATION)
                                    .containsAllEntriesOf(later.getMetadata().getAnnotations());
                        });
    }

    @Test
    void scalesNothingForAPassThatIsSuperseded() {
        Deployment standing = created(ATTEMPT);
        FlinkDeployment read = latest();
        supersede();

        effects.perform(read, new Action.StopJobManager(uid(standing)));

        assertThat(kubelet.deployment(NAME)).contains(standing);
    }

    @Test
    void createsNothingForAPassThatIsSuperseded() {
        FlinkDeployment read = latest();
        supersede();

        effects.perform(read, new Action.CreateCluster(plan(ATTEMPT, new StartFrom.Nothing())));

        assertThat(kubelet.deployment(NAME)).isEmpty();
        assertThat(maps()).isEmpty();

        effects.perform(latest(), new Action.CreateCluster(plan(LATER, new StartFrom.Nothing())));

        assertThat(kubelet.deployment(NAME)).isPresent();
    }

    /** Nobody else can have come to lead since. */
    @Test
    void believesForAMomentThatAResourceIsAsItWasStored() {
        FlinkDeployment read = stored();
        supersede();
        nanos.addAndGet(Duration.ofMillis(999).toNanos());

        effects.perform(read, new Action.CreateCluster(plan(ATTEMPT, new StartFrom.Nothing())));

        assertThat(kubelet.deployment(NAME)).isPresent();
    }

    @Test
    void asksAgainOnceTheMomentHasPassed() {
        FlinkDeployment read = stored();
        supersede();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());

        effects.perform(read, new Action.CreateCluster(plan(ATTEMPT, new StartFrom.Nothing())));

        assertThat(maps()).isEmpty();
        assertThat(kubelet.deployment(NAME)).isEmpty();
    }

    @Test
    void asksAgainIfTheMomentHasPassedWhenTheDeploymentIsTheNext() {
        FlinkDeployment read = stored();
        supersede();
        pause = Duration.ofSeconds(1);

        effects.perform(read, new Action.CreateCluster(plan(ATTEMPT, new StartFrom.Nothing())));

        assertThat(maps()).isNotEmpty();
        assertThat(kubelet.deployment(NAME)).isEmpty();
    }

    /** As the reconciliation has stored it that acts next. */
    private FlinkDeployment stored() {
        FlinkDeployment read = latest();
        memory.confirmedVersions()
                .confirmed(read.getMetadata(), memory.confirmedVersions().asking());
        return read;
    }

    @Test
    void createsNothingForAnEarlierResourceOfTheName() {
        client.resource(resource).delete();
        FlinkDeployment another = create();
        FlinkDeployment read = new FlinkDeployment();
        read.setMetadata(another.getMetadata());
        read.getMetadata().setUid(uid(resource));

        effects.perform(read, new Action.CreateCluster(plan(ATTEMPT, new StartFrom.Nothing())));

        assertThat(kubelet.deployment(NAME)).isEmpty();
    }

    @Test
    void takesTheDeploymentOfAnotherAttemptForNoneOfItsOwn() {
        Deployment standing = created(ATTEMPT);

        assertThatThrownBy(() -> created(LATER)).hasMessageContaining("stands in the way");

        assertThat(kubelet.deployment(NAME))
                .hasValueSatisfying(found -> assertThat(uid(found)).isEqualTo(uid(standing)));
    }

    @Test
    void startsNoJobFromNothingWhereAnotherJobsCheckpointIsNamed() {
        leave(OTHER_JOB, Map.of(CHECKPOINT, "a"));

        perform(new Action.CreateCluster(plan(ATTEMPT, new StartFrom.Nothing())));

        assertThat(kubelet.deployment(NAME)).isEmpty();
        assertThat(map(OTHER_JOB)).containsKey(CHECKPOINT);
        assertThat(rejectedManifests.of(uid(resource), Optional.of(ATTEMPT)))
                .hasValueSatisfying(why -> assertThat(why.message()).contains(OTHER_JOB));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void neverForgetsWhichCheckpointsTheJobItselfHas(boolean fromASavepoint) {
        leave(JOB, Map.of(CHECKPOINT, "a", "jobGraph-" + JOB, "b"));

        perform(
                new Action.CreateCluster(
                        plan(
                                ATTEMPT,
                                fromASavepoint
                                        ? new StartFrom.Savepoint("file:///data/s/savepoint-1")
                                        : new StartFrom.Nothing())));

        assertThat(kubelet.deployment(NAME)).isPresent();
        assertThat(map(JOB)).containsOnlyKeys(CHECKPOINT);
    }

    /** Flink would run it beside the wanted one. */
    @Test
    void startsFromASavepointWithoutWhatIsLeftOfAnotherJob() {
        leave(OTHER_JOB, Map.of(CHECKPOINT, "a"));

        perform(
                new Action.CreateCluster(
                        plan(ATTEMPT, new StartFrom.Savepoint("file:///data/s/savepoint-1"))));

        assertThat(kubelet.deployment(NAME)).isPresent();
        assertThat(maps()).noneMatch(name -> name.contains(OTHER_JOB));
    }

    /** Flink 1 keeps a job graph, Flink 2 an execution plan; either would win over the spec. */
    @ParameterizedTest
    @ValueSource(strings = {"jobGraph-", "executionPlan-"})
    void startsFromTheLastStateWithoutTheFormerGraph(String graph) {
        leave(JOB, Map.of(CHECKPOINT, "a", "counter", "8", graph + JOB, "b"));
        leave("cluster", Map.of("leader", "c", graph + JOB, "b"));

        perform(new Action.CreateCluster(plan(ATTEMPT, new StartFrom.LastState())));

        assertThat(kubelet.deployment(NAME)).isPresent();
        assertThat(map(JOB)).containsOnlyKeys(CHECKPOINT, "counter");
        assertThat(map("cluster")).containsOnlyKeys("leader");
    }

    @Test
    void startsNothingFromALastStateThatIsAnotherJobs() {
        leave(JOB, Map.of("counter", "1"));
        leave(OTHER_JOB, Map.of(CHECKPOINT, "a"));

        perform(new Action.CreateCluster(plan(ATTEMPT, new StartFrom.LastState())));

        assertThat(kubelet.deployment(NAME)).isEmpty();
        assertThat(rejectedManifests.of(uid(resource), Optional.of(ATTEMPT)))
                .hasValueSatisfying(
                        why -> assertThat(why.message()).contains("no checkpoint", JOB));
    }

    /** The effect is repeated when its reply was lost; by then the job runs, and writes there. */
    @Test
    void leavesTheMetadataOfAJobAloneThatItsOwnAttemptRuns() {
        leave(JOB, Map.of(CHECKPOINT, "a"));
        created(ATTEMPT, new StartFrom.LastState());
        leave("cluster", Map.of("jobGraph-" + JOB, "b"));

        created(ATTEMPT, new StartFrom.LastState());

        assertThat(map("cluster")).containsOnlyKeys("jobGraph-" + JOB);
    }

    @Test
    void releasesNoMetadataOfALaterResourceOfTheName() {
        leave(JOB, Map.of(CHECKPOINT, "a"));
        client.resource(resource).delete();
        create();

        effects.perform(resource, new Action.ReleaseResource());

        assertThat(map(JOB)).containsKey(CHECKPOINT);
    }

    @Test
    void releasesAResourceThatNeverRanWithoutWhatOthersLeft() {
        leave(JOB, Map.of(CHECKPOINT, "a"));
        leave(OTHER_JOB, Map.of(CHECKPOINT, "a"));

        perform(new Action.ReleaseUnbegun(Optional.of(JOB)));

        assertThat(maps()).anyMatch(name -> name.contains(OTHER_JOB));
        assertThat(maps()).noneMatch(name -> name.contains(JOB));
    }

    /** From the graphs Flink brings the jobs of the cluster back. */
    @Test
    void removesNothingOfASessionClusterButTheLeaderThatIsGone() {
        leave("cluster", Map.of("jobGraph-" + JOB, "a"));
        ConfigMap left = leaders();
        left.getMetadata()
                .setAnnotations(Map.of(LEADER, "{\"holderIdentity\":\"b\",\"leaseDuration\":15}"));
        client.resource(left).update();
        ObjectNode session = spec();
        session.remove("job");

        perform(
                new Action.CreateCluster(
                        plan(
                                FlinkDeploymentSpec.parse(session, "spec").value(),
                                ATTEMPT,
                                new StartFrom.Nothing())));

        assertThat(leaders().getMetadata().getAnnotations())
                .containsEntry(LEADER, "{\"holderIdentity\":\"\",\"leaseDuration\":1}");
        assertThat(map("cluster")).containsOnlyKeys("jobGraph-" + JOB);
    }

    private ConfigMap leaders() {
        return client.configMaps()
                .inNamespace(namespace)
                .withName(NAME + "-cluster-config-map")
                .get();
    }

    private void perform(Action action) {
        effects.perform(latest(), action);
    }

    private Deployment created(String attempt) {
        return created(attempt, new StartFrom.Nothing());
    }

    private Deployment created(String attempt, StartFrom from) {
        perform(new Action.CreateCluster(plan(attempt, from)));
        return kubelet.deployment(NAME).orElseThrow();
    }

    private ClusterPlan plan(String attempt, StartFrom from) {
        return plan(FlinkDeploymentSpec.parse(spec(), "spec").value(), attempt, from);
    }

    private ClusterPlan plan(FlinkDeploymentSpec spec, String attempt, StartFrom from) {
        return new ClusterPlan(
                namespace,
                NAME,
                uid(resource),
                1,
                spec,
                spec.flinkConfiguration(),
                attempt,
                JOB,
                from,
                Optional.empty());
    }

    private static ObjectNode spec() {
        return Specs.highlyAvailable(
                Specs.configured(
                        Specs.application("flink:1.20", "last-state"),
                        "execution.checkpointing.dir",
                        "file:///data/c"));
    }

    private FlinkDeployment create() {
        var wanted = new FlinkDeployment();
        wanted.getMetadata().setName(NAME);
        wanted.getMetadata().setNamespace(namespace);
        wanted.setSpec(spec());
        return client.resource(wanted).create();
    }

    private FlinkDeployment latest() {
        return client.resource(resource).get();
    }

    /** Another reconciliation, of whichever process, stores something. */
    private void supersede() {
        FlinkDeployment now = latest();
        now.setStatus(JsonNodeFactory.instance.objectNode().put("observedGeneration", 1));
        client.resource(now).updateStatus();
    }

    private void leave(String of, Map<String, String> data) {
        client.resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName(NAME + "-" + of + "-config-map")
                                .withNamespace(namespace)
                                .withLabels(Map.of("app", NAME, "type", "flink-native-kubernetes"))
                                .endMetadata()
                                .withData(data)
                                .build())
                .create();
    }

    /** Empty of one that is gone. */
    private Map<String, String> map(String of) {
        return Optional.ofNullable(
                        client.configMaps()
                                .inNamespace(namespace)
                                .withName(NAME + "-" + of + "-config-map")
                                .get())
                .map(ConfigMap::getData)
                .orElseGet(Map::of);
    }

    private List<String> maps() {
        return client
                .configMaps()
                .inNamespace(namespace)
                .withLabel("app", NAME)
                .list()
                .getItems()
                .stream()
                .map(map -> map.getMetadata().getName())
                .toList();
    }

    private static String uid(HasMetadata of) {
        return of.getMetadata().getUid();
    }
}
