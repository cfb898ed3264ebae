// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.manifest.Capacity;
import io.sluice.operator.model.ClusterHealth;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.RunView.ClusterFacts;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * {@code status.clusterInfo}: what a cluster runs, and how much of it there is. Facts that were not
 * read stay as they are, so that a job that runs well changes no status.
 */
final class ClusterInfo {
    private static final String REVISION = "flink-revision";
    private static final String CPU = "total-cpu";
    private static final String MEMORY = "total-memory";

    private ClusterInfo() {}

    static Map<String, String> of(StepContext context) {
        return withHealth(facts(context), context);
    }

    private static Map<String, String> facts(StepContext context) {
        Map<String, String> facts = new TreeMap<>(context.observed().status().clusterInfo());
        ClusterFacts told = context.observed().run().cluster();
        told.config()
                .ifPresent(
                        config -> {
                            facts.put(ClusterFacts.VERSION, config.flinkVersion());
                            facts.put(REVISION, config.flinkRevision());
                        });
        Optional<FlinkDeploymentSpec> running =
                context.observed().lastReconciled().map(LastReconciledSpec::spec);
        told.taskManagers()
                .ifPresent(
                        count -> running.ifPresent(spec -> capacity(context, spec, count, facts)));
        return facts;
    }

    /**
     * @param spec the one that runs, not the one that is asked for; where the status has lost it,
     *     nobody knows the size of a TaskManager
     */
    private static void capacity(
            StepContext context,
            FlinkDeploymentSpec spec,
            int taskManagers,
            Map<String, String> facts) {
        Capacity capacity = Capacity.of(spec, context.running().configuration(), taskManagers);
        facts.put(CPU, Double.toString(capacity.cpu()));
        Optional<String> memory = capacity.memory().map(bytes -> Long.toString(bytes));
        memory.ifPresentOrElse(bytes -> facts.put(MEMORY, bytes), () -> facts.remove(MEMORY));
    }

    /**
     * The facts of a cluster with the health of its job among them. It is written when a job is
     * first looked at and when the verdict changes, and not with each look: what is between is kept
     * in the operator's memory, and lost with it, which delays a verdict by a window and never
     * makes a wrong one. A new attempt has no health yet.
     */
    private static Map<String, String> withHealth(Map<String, String> facts, StepContext context) {
        Optional<ClusterHealth> stored =
                Optional.ofNullable(facts.get(ClusterHealth.KEY)).flatMap(ClusterHealth::decode);
        boolean isNew =
                !context.draft().attempt().id().equals(context.observed().status().attempt().id());
        Optional<ClusterHealth> news =
                context.observed()
                        .health()
                        .filter(_ -> !isNew)
                        .filter(
                                health ->
                                        stored.filter(it -> it.isHealthy() == health.isHealthy())
                                                .isEmpty());
        if (news.isEmpty() && !(isNew && facts.containsKey(ClusterHealth.KEY))) {
            return facts;
        }
        Map<String, String> changed = new TreeMap<>(facts);
        changed.remove(ClusterHealth.KEY);
        news.ifPresent(health -> changed.put(ClusterHealth.KEY, health.encode()));
        return changed;
    }
}
