// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import io.sluice.api.spec.ComponentSpec;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.rules.config.Options;
import java.util.List;

/** One of the two parts of a Flink cluster, and how the rules name it. */
public enum Component {
    JOB_MANAGER("jm", "jobManager", "jobmanager"),
    TASK_MANAGER("tm", "taskManager", "taskmanager");

    private final String prefix;
    private final String field;
    private final String option;

    Component(String prefix, String field, String option) {
        this.prefix = prefix;
        this.field = field;
        this.option = option;
    }

    /** The id of this component's rule about {@code subject}. */
    String rule(String subject) {
        return prefix + "-" + subject;
    }

    public String path(String below) {
        return "spec." + field + "." + below;
    }

    /** Flink's option for this component's whole memory. */
    String processMemoryKey() {
        return option + ".memory.process.size";
    }

    ComponentSpec of(DeploymentReview review) {
        return of(review.spec());
    }

    public ComponentSpec of(FlinkDeploymentSpec spec) {
        return switch (this) {
            case JOB_MANAGER -> spec.jobManager();
            case TASK_MANAGER -> spec.taskManager();
        };
    }

    /** Whether Flink's own options say how much memory this component gets. */
    boolean isSizedBy(Options options) {
        boolean whole =
                List.of("memory.process.size", "memory.flink.size", "heap.size", "heap.mb").stream()
                        .anyMatch(key -> options.text(option + "." + key).isPresent());
        return whole
                || switch (this) {
                    case JOB_MANAGER -> options.text("jobmanager.memory.heap.size").isPresent();
                    case TASK_MANAGER ->
                            options.text("taskmanager.memory.task.heap.size").isPresent()
                                    && options.text("taskmanager.memory.managed.size").isPresent();
                };
    }
}
