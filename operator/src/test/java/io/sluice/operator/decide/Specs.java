// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.StateKind;

/** Specs as users write them. */
public final class Specs {
    public static final String RESTART_FAILED = "kubernetes.operator.job.restart.failed";
    public static final String HEALTH = "kubernetes.operator.cluster.health-check.enabled";

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

    public static ObjectNode asking(ObjectNode spec, String option) {
        ObjectNode changed = spec.deepCopy();
        changed.withObject("/flinkConfiguration").put(option, "true");
        return changed;
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
}
