// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.manifest.ClusterPlan;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.child.DeleteByUid;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.StateReader;
import io.sluice.rules.config.Options;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Makes Flink's high-availability metadata fit for an attempt, while no JobManager of the name
 * stands: what it names of other jobs would be run too, an old job graph would win over the new
 * spec, and a leader that is gone would be waited for. Names of checkpoints of the attempt's own
 * job are never removed, and those of a job that it replaces only once it has run. From a session
 * cluster's Flink brings the cluster's jobs back; only its leader is removed, and the graphs of
 * jobs that are over.
 */
public record HighAvailabilityMetadata(
        KubernetesClient client, ClusterPlan plan, List<ConfigMap> left) {
    public HighAvailabilityMetadata {
        left = List.copyOf(left);
    }

    /** Reads what is left of former attempts. */
    static HighAvailabilityMetadata of(KubernetesClient client, ClusterPlan plan) {
        return new HighAvailabilityMetadata(
                client,
                plan,
                plan.spec().job().isPresent()
                                || new Options(plan.effective()).keepsMetadataInKubernetes()
                        ? ChildResources.recovery(client, plan.namespace(), plan.name())
                        : List.of());
    }

    /** Whether there is anything to make fit, or to miss. */
    boolean isNeeded() {
        return !left.isEmpty()
                || (plan.spec().job().isPresent() && plan.from() instanceof StartFrom.LastState);
    }

    /**
     * @return why the attempt can't begin
     */
    Optional<String> prepare() {
        if (plan.spec().job().isEmpty()) {
            left.forEach(map -> change(map, Optional.empty()));
            SessionJobGraphs graphs = new SessionJobGraphs(client, plan.namespace(), plan.name());
            graphs.removeOfFormerJobs(left);
            return Optional.empty();
        }
        return prepareForJob();
    }

    private Optional<String> prepareForJob() {
        Predicate<ConfigMap> isOwn =
                map -> StateReader.job(plan.name(), map).equals(Optional.of(plan.jobId()));
        return switch (plan.from()) {
            case StartFrom.LastState _ -> {
                if (left.stream().filter(isOwn).noneMatch(StateReader::hasCheckpoint)) {
                    yield Optional.of(
                            "the high-availability ConfigMap of job "
                                    + plan.jobId()
                                    + " names no checkpoint to restore from");
                }
                left.forEach(this::makeFit);
                yield Optional.empty();
            }
            case StartFrom.Savepoint _ -> {
                clear(left, isOwn.or(this::isReplaced));
                yield Optional.empty();
            }
            case StartFrom.Nothing _ -> {
                Optional<ConfigMap> precious =
                        left.stream()
                                .filter(_ -> !isStateless())
                                .filter(isOwn.negate())
                                .filter(StateReader::hasCheckpoint)
                                .findFirst();
                if (precious.isEmpty()) {
                    clear(left, isStateless() ? _ -> false : isOwn);
                }
                yield precious.map(this::objection);
            }
        };
    }

    /** Whether the metadata are those of a job that may yet have to go on in place of this one. */
    private boolean isReplaced(ConfigMap map) {
        return plan.replacedJob()
                .filter(_ -> !isStateless())
                .filter(job -> StateReader.job(plan.name(), map).equals(Optional.of(job)))
                .isPresent();
    }

    private boolean isStateless() {
        return plan.spec().job().map(JobSpec::upgradeMode).orElse(UpgradeMode.STATELESS)
                == UpgradeMode.STATELESS;
    }

    private void clear(List<ConfigMap> left, Predicate<ConfigMap> spared) {
        for (ConfigMap map : left) {
            if (spared.test(map)) {
                makeFit(map);
            } else {
                new DeleteByUid(client).freeName(map);
            }
        }
    }

    /** Removes graphs of jobs, and the leader. */
    private void makeFit(ConfigMap map) {
        Map<String, String> data =
                new HashMap<>(Optional.ofNullable(map.getData()).orElseGet(Map::of));
        boolean hadGraph = data.keySet().removeIf(key -> SessionJobGraphs.jobOf(key).isPresent());
        change(map, Optional.of(data).filter(_ -> hadGraph));
    }

    /** Replaces the data, and removes the leader, as no JobManager is left. */
    private void change(ConfigMap map, Optional<Map<String, String>> data) {
        Optional<String> leader = LeaderRecord.released(map);
        if (data.isEmpty() && leader.isEmpty()) {
            return;
        }
        client.resource(map)
                .edit(
                        found -> {
                            ConfigMapBuilder changed = new ConfigMapBuilder(found);
                            data.ifPresent(changed::withData);
                            leader.ifPresent(
                                    record ->
                                            changed.editMetadata()
                                                    .addToAnnotations(
                                                            LeaderRecord.ANNOTATION, record)
                                                    .endMetadata());
                            return changed.build();
                        });
    }

    private String objection(ConfigMap map) {
        return "ConfigMap "
                + map.getMetadata().getName()
                + " names a checkpoint of an earlier job of this name, and this job starts from"
                + " nothing; delete the ConfigMaps labelled app="
                + plan.name()
                + ",type=flink-native-kubernetes whose names end in -config-map if that state is"
                + " not wanted";
    }
}
