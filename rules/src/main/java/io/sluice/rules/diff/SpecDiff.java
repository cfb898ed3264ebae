// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.diff;

import io.sluice.api.spec.DeploymentMode;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.ParallelismOverrides;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What changed between two specs, and what the change asks for. The table is that of
 * docs/contract/crds.md, sections 2 to 4; a field that is not in it does not exist.
 */
public record SpecDiff(List<Change> changes) {
    /** What a change asks for, in rising order; a diff asks for the most of its changes. */
    public enum Effect {
        NONE,
        IGNORE,
        /** Another size of the cluster or its job; done without a restart where Flink can. */
        SCALE,
        UPGRADE,
        SAVEPOINT_REDEPLOY
    }

    /**
     * One changed field. Values are left out: a configuration may hold secrets.
     *
     * @param path for example {@code spec.image}
     */
    public record Change(String path, Effect effect) {}

    /**
     * @param meaning of a value that can be written in several ways; looked into only if it is
     */
    private record Field<T>(
            String path,
            Function<FlinkDeploymentSpec, T> value,
            UnaryOperator<T> meaning,
            Effect effect,
            Effect whenRemoved) {
        Field(String path, Function<FlinkDeploymentSpec, T> value, Effect effect) {
            this(path, value, UnaryOperator.identity(), effect, effect);
        }

        Field(
                String path,
                Function<FlinkDeploymentSpec, T> value,
                UnaryOperator<T> meaning,
                Effect effect) {
            this(path, value, meaning, effect, effect);
        }

        Field(
                String path,
                Function<FlinkDeploymentSpec, T> value,
                Effect effect,
                Effect whenRemoved) {
            this(path, value, UnaryOperator.identity(), effect, whenRemoved);
        }

        boolean differs(FlinkDeploymentSpec before, FlinkDeploymentSpec after) {
            T old = value.apply(before);
            T now = value.apply(after);
            return !old.equals(now) && !meaning.apply(old).equals(meaning.apply(now));
        }
    }

    private static final List<Field<?>> FIELDS =
            List.of(
                    new Field<>(
                            "spec.restartNonce",
                            FlinkDeploymentSpec::restartNonce,
                            Effect.UPGRADE,
                            Effect.IGNORE),
                    new Field<>("spec.image", FlinkDeploymentSpec::image, Effect.UPGRADE),
                    new Field<>(
                            "spec.imagePullPolicy",
                            FlinkDeploymentSpec::imagePullPolicy,
                            Effect.UPGRADE),
                    new Field<>(
                            "spec.serviceAccount",
                            FlinkDeploymentSpec::serviceAccount,
                            Effect.UPGRADE),
                    new Field<>(
                            "spec.flinkVersion", FlinkDeploymentSpec::flinkVersion, Effect.UPGRADE),
                    new Field<>("spec.ingress", FlinkDeploymentSpec::ingress, Effect.IGNORE),
                    new Field<>(
                            "spec.podTemplate",
                            FlinkDeploymentSpec::podTemplate,
                            SameMeaning::of,
                            Effect.UPGRADE),
                    new Field<>(
                            "spec.jobManager",
                            FlinkDeploymentSpec::jobManager,
                            SameMeaning::ofJobManager,
                            Effect.UPGRADE),
                    new Field<>(
                            "spec.taskManager",
                            FlinkDeploymentSpec::taskManager,
                            SameMeaning::withoutReplicas,
                            Effect.UPGRADE),
                    new Field<>(
                            "spec.taskManager.replicas",
                            spec -> spec.taskManager().replicas(),
                            Effect.UPGRADE),
                    new Field<>(
                            "spec.logConfiguration",
                            FlinkDeploymentSpec::logConfiguration,
                            Effect.UPGRADE),
                    new Field<>("spec.mode", FlinkDeploymentSpec::mode, Effect.UPGRADE),
                    new Field<>("spec.job", spec -> spec.job().isPresent(), Effect.UPGRADE),
                    job("jarURI", JobSpec::jarUri, Effect.UPGRADE),
                    job("entryClass", JobSpec::entryClass, Effect.UPGRADE),
                    job("args", JobSpec::args, Effect.UPGRADE),
                    job("parallelism", SameMeaning::parallelism, Effect.UPGRADE),
                    job("state", JobSpec::state, Effect.UPGRADE),
                    job("upgradeMode", JobSpec::upgradeMode, Effect.IGNORE),
                    job("initialSavepointPath", JobSpec::initialSavepointPath, Effect.IGNORE),
                    job("allowNonRestoredState", JobSpec::allowNonRestoredState, Effect.IGNORE),
                    job("savepointTriggerNonce", JobSpec::savepointTriggerNonce, Effect.IGNORE),
                    job("checkpointTriggerNonce", JobSpec::checkpointTriggerNonce, Effect.IGNORE),
                    job("autoscalerResetNonce", JobSpec::autoscalerResetNonce, Effect.IGNORE),
                    new Field<>(
                            "spec.job.savepointRedeployNonce",
                            FlinkDeploymentSpec::savepointRedeployNonce,
                            Effect.SAVEPOINT_REDEPLOY,
                            Effect.IGNORE));

    /** What a standalone cluster can change in place. */
    private static final Set<String> SIZES =
            Set.of("spec.job.parallelism", "spec.taskManager.replicas");

    private static final String CONFIGURATION = "spec.flinkConfiguration.";

    private static final List<String> IGNORED_PREFIXES =
            List.of("parallelism.default", "kubernetes.operator", "job.autoscaler");

    public SpecDiff {
        changes = List.copyOf(changes);
    }

    public static SpecDiff between(FlinkDeploymentSpec before, FlinkDeploymentSpec after) {
        List<Change> changes = new ArrayList<>();
        for (Field<?> field : FIELDS) {
            if (field.differs(before, after)) {
                boolean removed = field.value().apply(after).equals(Optional.empty());
                Effect effect = removed ? field.whenRemoved() : field.effect();
                boolean scales =
                        after.mode() == DeploymentMode.STANDALONE && SIZES.contains(field.path());
                changes.add(new Change(field.path(), scales ? Effect.SCALE : effect));
            }
        }
        changes.addAll(
                configuration(
                        before.flinkConfiguration().entries(),
                        after.flinkConfiguration().entries()));
        return new SpecDiff(changes);
    }

    public Effect effect() {
        return changes.stream().map(Change::effect).max(Enum::compareTo).orElse(Effect.NONE);
    }

    /** Without what the autoscaler had asked for: that it is not in the spec is nobody's edit. */
    public SpecDiff edited() {
        return new SpecDiff(
                changes.stream()
                        .filter(
                                change ->
                                        change.effect() != Effect.IGNORE
                                                || !change.path()
                                                        .equals(
                                                                CONFIGURATION
                                                                        + ParallelismOverrides.KEY))
                        .toList());
    }

    /** Whether nothing that counts has changed but the parallelism of single vertices. */
    public boolean isOverridesOnly() {
        return changes.stream()
                .filter(change -> change.effect().compareTo(Effect.IGNORE) > 0)
                .allMatch(change -> change.path().equals(CONFIGURATION + ParallelismOverrides.KEY));
    }

    /** Whether nothing that counts has changed but what the autoscaler tunes. */
    public boolean isTuningOnly() {
        return changes.stream()
                .filter(change -> change.effect().compareTo(Effect.IGNORE) > 0)
                .map(Change::path)
                .allMatch(
                        path ->
                                path.equals(CONFIGURATION + ParallelismOverrides.KEY)
                                        || path.equals("spec.taskManager")
                                        || path.startsWith(CONFIGURATION + "taskmanager.memory."));
    }

    private static List<Change> configuration(
            Map<String, String> before, Map<String, String> after) {
        return Stream.concat(
                        after.keySet().stream(),
                        before.keySet().stream().filter(key -> !after.containsKey(key)))
                .filter(key -> !Objects.equals(before.get(key), after.get(key)))
                .sorted()
                .map(
                        key ->
                                new Change(
                                        CONFIGURATION + key,
                                        key.equals(ParallelismOverrides.KEY)
                                                ? scaling(before, after)
                                                : effectOf(key)))
                .filter(change -> change.effect() != Effect.NONE)
                .toList();
    }

    private static Effect effectOf(String key) {
        return IGNORED_PREFIXES.stream().anyMatch(key::startsWith) ? Effect.IGNORE : Effect.UPGRADE;
    }

    /** A job goes on as it is where nobody says any more how parallel it is to be. */
    private static Effect scaling(Map<String, String> before, Map<String, String> after) {
        ParallelismOverrides wanted = ParallelismOverrides.in(new FlinkConfiguration(after));
        if (wanted.equals(ParallelismOverrides.in(new FlinkConfiguration(before)))) {
            return Effect.NONE;
        }
        return wanted.isEmpty() ? Effect.IGNORE : Effect.SCALE;
    }

    private static Field<?> job(String name, Function<JobSpec, Object> value, Effect effect) {
        return new Field<>("spec.job." + name, spec -> spec.job().map(value), effect);
    }
}
