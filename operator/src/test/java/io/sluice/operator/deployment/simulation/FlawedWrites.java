// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.testkit.apiserver.Admission;
import io.sluice.testkit.apiserver.ApiCall;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Sees what is written before it is stored, and spoils what a flawed operator would not write. */
final class FlawedWrites implements Admission {
    private final Set<DeploymentFlaws> flaws;

    FlawedWrites(Set<DeploymentFlaws> flaws) {
        this.flaws = flaws;
    }

    @Override
    public void review(ApiCall call, ObjectNode object) {
        boolean isConfiguration =
                call.type().plural().equals("configmaps")
                        && object.at("/metadata/name").asText().startsWith("flink-config-");
        if (isConfiguration && flaws.contains(DeploymentFlaws.PATH_NOT_RENDERED)) {
            change(object, text -> text.replaceAll("(state-recovery:\\s+)path:", "$1unused:"));
        }
        if (isConfiguration && flaws.contains(DeploymentFlaws.RESULTS_NOT_KEPT)) {
            change(object, text -> text.replaceAll("(delete-on-commit: ).*", "$1'true'"));
        }
        if (isConfiguration && flaws.contains(DeploymentFlaws.ONE_NAME_IN_ZOOKEEPER)) {
            change(object, text -> text.replaceAll("(cluster-id: ['\"]?app)-[^\\s'\"]*", "$1"));
        }
        if (isConfiguration && flaws.contains(DeploymentFlaws.OTHER_LAYOUT)) {
            rename(object.withObject("/data"));
        }
        boolean isDeployment = call.type().plural().equals("deployments");
        if (isDeployment && flaws.contains(DeploymentFlaws.PATH_NOT_RENDERED)) {
            withoutPath(object);
        }
        if (isDeployment
                && flaws.contains(DeploymentFlaws.TASK_MANAGERS_NOT_PROVIDED)
                && object.at("/metadata/name").asText().endsWith("-taskmanager")) {
            object.withObject("/spec").put("replicas", 0);
        }
    }

    private static void rename(ObjectNode files) {
        Optional.ofNullable(files.remove("config.yaml"))
                .ifPresent(text -> files.set("flink-conf.yaml", text));
    }

    /** Removes the path from the command line of a standalone JobManager. */
    private static void withoutPath(ObjectNode deployment) {
        if (deployment.at("/spec/template/spec/containers/0/args") instanceof ArrayNode arguments) {
            for (int at = 0; at < arguments.size(); at++) {
                if (arguments.get(at).asText().equals("--fromSavepoint")) {
                    arguments.remove(at);
                    arguments.remove(at);
                }
            }
        }
    }

    private static void change(ObjectNode map, UnaryOperator<String> edit) {
        ObjectNode data = map.withObject("/data");
        data.propertyStream()
                .toList()
                .forEach(file -> data.put(file.getKey(), edit.apply(file.getValue().asText())));
    }
}
