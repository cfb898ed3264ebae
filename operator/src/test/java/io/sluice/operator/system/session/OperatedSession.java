// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.session;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.operator.artifact.Artifacts;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.sessionjob.SessionJobObserver.RelatedResources;
import io.sluice.operator.sessionjob.SessionJobs;
import io.sluice.operator.system.Kubectl;
import io.sluice.operator.system.Kubelet;
import io.sluice.operator.system.RunningOperator;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A session cluster and its jobs on a real API server, with an operator and without a kubelet. */
final class OperatedSession implements AutoCloseable {
    final KubernetesClient client;
    final String namespace;
    final Kubelet kubelet;
    private RunningOperator operator;
    private FakeCluster flink = new FakeCluster();

    OperatedSession(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        kubelet = new Kubelet(client, namespace);
        operator = new RunningOperator(client, namespace);
    }

    /** What answers as the JobManager of the cluster that is called session. */
    FakeCluster flink() {
        return flink;
    }

    void stopOperator() {
        operator.close();
    }

    /** Another process of the operator takes over, which goes by {@code clock}. */
    void restartOperator(InstantSource clock) {
        operator.close();
        operator = new RunningOperator(client, namespace, operator.jobManagers(), clock);
    }

    /** Another process of the operator takes over, and another JobManager, which knows no job. */
    void restartWithItsJobManager() {
        operator.close();
        operator = new RunningOperator(client, namespace);
        flink = operator.jobManagers().start(RunningOperator.address(namespace, "session"));
    }

    void clusterUp() {
        clusterUp(SessionSnapshots.sessionCluster());
    }

    void clusterUp(ObjectNode spec) {
        flink = clusterUp("session", spec);
    }

    FakeCluster clusterUp(String name, ObjectNode spec) {
        create(new FlinkDeployment(), name, spec);
        FakeCluster started =
                operator.jobManagers().start(RunningOperator.address(namespace, name));
        soon(() -> assertThat(kubelet.deployment(name)).isPresent());
        kubelet.makeAvailable(name);
        soon(() -> assertThat(cluster(name)).isEqualTo("True SessionClusterReady"));
        return started;
    }

    <R extends CustomResource<ObjectNode, ObjectNode>> void create(
            R resource, String name, ObjectNode spec) {
        new Kubectl(client, namespace).create(resource, name, spec);
    }

    void edit(String name, UnaryOperator<ObjectNode> change) {
        new Kubectl(client, namespace).edit(FlinkSessionJob.class, name, change);
    }

    /** Its cluster is to run another image. */
    void upgradeCluster() {
        new Kubectl(client, namespace)
                .edit(
                        FlinkDeployment.class,
                        "session",
                        spec -> spec.put("image", "flink:1.20-new"));
    }

    void delete(Class<? extends HasMetadata> kind, String name) {
        new Kubectl(client, namespace).delete(kind, name);
    }

    <R extends CustomResource<ObjectNode, ObjectNode>> Optional<R> found(
            Class<R> kind, String name) {
        return Optional.ofNullable(
                client.resources(kind).inNamespace(namespace).withName(name).get());
    }

    <R extends CustomResource<ObjectNode, ObjectNode>> ObjectNode status(
            Class<R> kind, String name) {
        return found(kind, name)
                .flatMap(found -> Optional.ofNullable(found.getStatus()))
                .orElseGet(JsonNodeFactory.instance::objectNode);
    }

    /** The id on record of a session job. */
    String jobId(String name) {
        return status(FlinkSessionJob.class, name).at("/jobStatus/jobId").asText();
    }

    /** Status and reason of whether a session job is ready. */
    String job(String name) {
        return ready(status(FlinkSessionJob.class, name));
    }

    /** Status and reason of whether the cluster is ready. */
    String cluster() {
        return cluster("session");
    }

    private String cluster(String name) {
        return ready(status(FlinkDeployment.class, name));
    }

    private static String ready(ObjectNode status) {
        for (var condition : status.path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText() + " " + condition.path("reason").asText();
            }
        }
        return "";
    }

    /** The states of the jobs that its JobManager lists. */
    List<String> jobStates() {
        return operator
                .jobManagers()
                .jobs(RunningOperator.address(namespace, "session"))
                .answer()
                .orElseThrow()
                .stream()
                .map(JobOverview::state)
                .toList();
    }

    /** The version of Flink that its JobManager tells of. */
    String version() {
        return operator.jobManagers()
                .config(RunningOperator.address(namespace, "session"))
                .answer()
                .orElseThrow()
                .flinkVersion();
    }

    /** How often each event was told. */
    List<Integer> counts(String reason) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getReason().equals(reason))
                .map(Event::getCount)
                .toList();
    }

    /** The messages of the events of a reason. */
    String events(String reason) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getReason().equals(reason))
                .map(Event::getMessage)
                .collect(Collectors.joining("\n"));
    }

    /** Reconciliations of another process, which are up to the test. */
    SessionJobs jobs(InstantSource clock, Artifacts artifacts) {
        return new SessionJobs(
                client,
                operator.jobManagers(),
                RunningOperator::address,
                artifacts,
                () -> DefaultConfiguration.NONE,
                SpecValidators.NONE,
                true,
                clock);
    }

    /** A session job's cluster as a cache has it. */
    static RelatedResources around(FlinkDeployment cluster) {
        return new RelatedResources(Optional.of(cluster), Optional.empty());
    }

    @Override
    public void close() {
        operator.close();
    }
}
