// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.StateKind;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.rules.config.Options;
import io.sluice.testkit.sim.Cluster;
import io.sluice.testkit.sim.Cluster.JobManagerDeployment;
import io.sluice.testkit.sim.World.Resource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The specs a simulated user writes. What is rendered of one is told apart by its image. */
public final class Specs {
    private Specs() {}

    public static ObjectNode application(String image, String upgradeMode) {
        ObjectNode spec =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("image", image)
                        .put("flinkVersion", "v1_20")
                        .put("serviceAccount", "flink");
        spec.putObject("job")
                .put("jarURI", "local:///opt/flink/usrlib/a.jar")
                .put("parallelism", 1)
                .put("state", "running")
                .put("upgradeMode", upgradeMode);
        for (String component : new String[] {"jobManager", "taskManager"}) {
            spec.putObject(component).putObject("resource").put("cpu", 0.1).put("memory", "1g");
        }
        return spec;
    }

    public static ObjectNode withImage(ObjectNode spec, String image) {
        return spec.deepCopy().put("image", image);
    }

    public static ObjectNode withVersion(ObjectNode spec, String version) {
        return spec.deepCopy().put("flinkVersion", version);
    }

    public static String version(ObjectNode spec) {
        return spec.path("flinkVersion").asText();
    }

    public static ObjectNode withState(ObjectNode spec, String state) {
        ObjectNode changed = spec.deepCopy();
        changed.withObject("/job").put("state", state);
        return changed;
    }

    public static ObjectNode redeployed(ObjectNode spec, String path, long nonce) {
        ObjectNode changed = spec.deepCopy();
        changed.withObject("/job")
                .put("initialSavepointPath", path)
                .put("savepointRedeployNonce", nonce);
        return changed;
    }

    /** Of a type the API server's schema would not let pass; stored under a laxer one. */
    public static ObjectNode broken(ObjectNode spec) {
        return spec.deepCopy().put("image", 7);
    }

    /** Flink keeps its metadata in ConfigMaps. */
    public static ObjectNode highlyAvailable(ObjectNode spec) {
        ObjectNode changed = spec.deepCopy();
        changed.withObject("/flinkConfiguration")
                .put("high-availability.type", "kubernetes")
                .put("high-availability.storageDir", "file:///data/h");
        return changed;
    }

    /** Flink keeps its metadata in ZooKeeper. */
    public static ObjectNode inZooKeeper(ObjectNode spec) {
        ObjectNode changed = highlyAvailable(spec);
        changed.withObject("/flinkConfiguration")
                .put("high-availability.type", "zookeeper")
                .put("high-availability.zookeeper.quorum", "zookeeper:2181");
        return changed;
    }

    public static boolean isHighlyAvailable(ObjectNode spec) {
        return spec.path("flinkConfiguration").has("high-availability.type");
    }

    public static final String ROLLBACK = "kubernetes.operator.deployment.rollback.enabled";
    public static final String RESTART_FAILED = "kubernetes.operator.job.restart.failed";
    public static final String HEALTH = "kubernetes.operator.cluster.health-check.enabled";

    /** Rolled back when it does not become stable within a minute. */
    public static ObjectNode rollingBack(ObjectNode spec) {
        ObjectNode changed = asking(spec, ROLLBACK);
        changed.withObject("/flinkConfiguration")
                .put("kubernetes.operator.deployment.readiness.timeout", "1 min");
        return changed;
    }

    public static ObjectNode asking(ObjectNode spec, String option) {
        ObjectNode changed = spec.deepCopy();
        changed.withObject("/flinkConfiguration").put(option, "true");
        return changed;
    }

    public static boolean asks(ObjectNode spec, String option) {
        return spec.path("flinkConfiguration").path(option).asBoolean();
    }

    /** Of a job that never gets its tasks up. */
    public static boolean isBad(ObjectNode spec) {
        return spec.path("image").asText().startsWith(Cluster.BAD);
    }

    public static final String RESULTS = "job-result-store.delete-on-commit";
    public static final String RETENTION =
            "execution.checkpointing.externalized-checkpoint-retention";
    public static final String DELETE = "DELETE_ON_CANCELLATION";
    public static final String FOLDER = "execution.checkpointing.savepoint-dir";
    public static final SortedMap<String, String> AVAILABILITY =
            Collections.unmodifiableSortedMap(
                    new TreeMap<>(
                            Map.of(
                                    "high-availability.type",
                                    "kubernetes",
                                    "high-availability.storageDir",
                                    "file:///data/h")));

    /** What a cluster is made of beside the image, and is changed here. */
    private static final List<String> RENDERED =
            List.of("high-availability.type", RESULTS, RETENTION, FOLDER);

    private static final String NO_CHECKPOINTS = "--no-checkpoints";

    public static String mode(ObjectNode spec) {
        return spec.at("/job/upgradeMode").asText();
    }

    public static ObjectNode withMode(ObjectNode spec, String mode) {
        ObjectNode changed = spec.deepCopy();
        changed.withObject("/job").put("upgradeMode", mode);
        return changed;
    }

    /** Of a job that has its checkpointing by its configuration only. */
    public static ObjectNode withoutCheckpoints(ObjectNode spec) {
        ObjectNode changed = spec.deepCopy();
        changed.withObject("/job").putArray("args").add(NO_CHECKPOINTS);
        return changed;
    }

    /** Whether the job makes checkpoints, by its program or by what it is made to run with. */
    public static boolean makesCheckpoints(FlinkDeploymentSpec spec, Options effective) {
        Optional<JobSpec> job = spec.job();
        return job.filter(it -> it.args().contains(NO_CHECKPOINTS)).isEmpty()
                || job.filter(it -> it.upgradeMode() == UpgradeMode.LAST_STATE).isPresent()
                || effective.text("execution.checkpointing.interval").isPresent();
    }

    public static ObjectNode otherAvailability(ObjectNode spec) {
        ObjectNode changed = spec.deepCopy();
        ObjectNode configuration = changed.withObject("/flinkConfiguration");
        if (configuration.has("high-availability.type")) {
            configuration.remove(AVAILABILITY.keySet());
            return changed;
        }
        return highlyAvailable(changed);
    }

    public static ObjectNode unconfigured(ObjectNode spec, String key) {
        ObjectNode changed = spec.deepCopy();
        changed.withObject("/flinkConfiguration").remove(key);
        return changed;
    }

    /** {@code former}, with what {@code now} asks for once. */
    public static ObjectNode withNoncesOf(ObjectNode now, ObjectNode former) {
        ObjectNode changed = former.deepCopy();
        for (String field :
                List.of(
                        "initialSavepointPath",
                        "savepointRedeployNonce",
                        StateKind.SAVEPOINT.nonce(),
                        StateKind.CHECKPOINT.nonce())) {
            changed.withObject("/job").remove(field);
            if (now.path("job").has(field)) {
                changed.withObject("/job").set(field, now.path("job").get(field));
            }
        }
        return changed;
    }

    public static String content(FlinkDeploymentSpec spec) {
        return spec.image().orElse("")
                + spec.flinkVersion().map(FlinkVersion::wire).orElse("")
                + spec.job()
                        .flatMap(JobSpec::savepointRedeployNonce)
                        .map(Object::toString)
                        .orElse("")
                + RENDERED.stream()
                        .map(key -> "," + spec.flinkConfiguration().get(key).orElse(""))
                        .collect(Collectors.joining());
    }

    /** With a folder for savepoints, few of which are kept. */
    public static ObjectNode saving(ObjectNode spec) {
        return configured(
                configured(spec, "execution.checkpointing.savepoint-dir", "file:///s"),
                "kubernetes.operator.savepoint.history.max.count",
                "1");
    }

    public static ObjectNode configured(ObjectNode spec, String key, String value) {
        ObjectNode changed = spec.deepCopy();
        changed.withObject("/flinkConfiguration").put(key, value);
        return changed;
    }

    public static ObjectNode withNonce(ObjectNode spec, StateKind kind, long nonce) {
        ObjectNode changed = spec.deepCopy();
        changed.withObject("/job").put(kind.nonce(), nonce);
        return changed;
    }

    public static boolean isStateful(Resource resource) {
        return !resource.spec().at("/job/upgradeMode").asText().equals("stateless");
    }

    public static boolean isSuspended(Resource resource) {
        return resource.spec().at("/job/state").asText().equals("suspended");
    }

    public static boolean isBroken(Resource resource) {
        return !resource.spec().path("image").isTextual();
    }

    /**
     * Whether the Deployment was made from what the resource asks for now. A suspension or a stop
     * that is on record is carried through, even if the user has changed their mind since.
     */
    public static boolean isWhatRuns(Resource resource, JobManagerDeployment deployment) {
        boolean sameSpec = deployment.content().equals(content(resource.spec()));
        return deployment.attempt().equals(resource.status().at("/attempt/id").asText())
                && resource.status().at("/attempt/stop").isMissingNode()
                && !hasEnded(resource)
                && !isSuspendedBefore(resource)
                && (isBroken(resource) || (!isSuspended(resource) && sameSpec));
    }

    /** What a cluster is made of, so that two specs can be told apart. */
    static String content(ObjectNode spec) {
        return spec.path("image").asText()
                + version(spec)
                + spec.at("/job/savepointRedeployNonce").asText()
                + RENDERED.stream()
                        .map(key -> "," + spec.path("flinkConfiguration").path(key).asText(""))
                        .collect(Collectors.joining());
    }

    private static boolean hasEnded(Resource resource) {
        return resource.status()
                .at("/jobStatus/state")
                .asText()
                .matches("FAILED|FINISHED|CANCELED");
    }

    /** Whether the spec that was reconciled last has the job come to rest. */
    public static boolean isSuspendedBefore(Resource resource) {
        return resource.status()
                .at("/reconciliationStatus/lastReconciledSpec")
                .asText()
                .contains("\"state\":\"suspended\"");
    }
}
