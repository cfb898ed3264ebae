// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.configurationPath;
import static io.sluice.rules.review.Problems.missing;
import static io.sluice.rules.review.Problems.when;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.LifecycleOptions;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.config.option.RequestOptions;
import io.sluice.rules.review.Rule;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** What the effective configuration may say, and what only makes sense together. */
final class ConfigurationRules {
    private static final List<Option<?>> FORBIDDEN =
            List.of(
                    FlinkOptions.HIGH_AVAILABILITY_CLUSTER_ID,
                    FlinkOptions.CLUSTER_ID,
                    FlinkOptions.NAMESPACE);
    private static final Set<String> LOG_FILES =
            Set.of("log4j-console.properties", "logback-console.xml");
    private static final List<Option<Boolean>> TLS =
            List.of(FlinkOptions.TLS, FlinkOptions.REST_TLS);

    static final List<Rule<DeploymentReview>> ALL =
            List.of(
                    new Rule<>(
                            "forbidden-config-key",
                            "spec.flinkConfiguration",
                            "The identity of a cluster follows from its resource. These keys would"
                                    + " give it that of another one.",
                            ConfigurationRules::forbidden),
                    new Rule<>(
                            "ha-type",
                            "spec.flinkConfiguration",
                            "Sluice makes sure that no former job is recovered beside the next"
                                    + " one. It can do so only for metadata in ConfigMaps or in"
                                    + " ZooKeeper.",
                            ConfigurationRules::highAvailability),
                    new Rule<>(
                            "rest-tls-needs-certificates",
                            "spec.flinkConfiguration",
                            "Sluice sends requests to a JobManager that uses TLS only if the"
                                    + " platform team has said whose certificates to trust.",
                            ConfigurationRules::restTls),
                    new Rule<>(
                            "rollback-needs-ha",
                            "spec.flinkConfiguration",
                            "A rollback restores the job from its high-availability metadata.",
                            ConfigurationRules::rollback),
                    new Rule<>(
                            "health-check-needs-jm-recovery",
                            "spec.flinkConfiguration",
                            "An unhealthy cluster is restarted through the recovery of its"
                                    + " JobManager.",
                            ConfigurationRules::healthCheck),
                    new Rule<>(
                            "log-config-key",
                            "spec.logConfiguration",
                            "Flink reads its logging configuration from these two files only.",
                            ConfigurationRules::logFiles));

    private ConfigurationRules() {}

    private static List<FieldProblem> forbidden(DeploymentReview review) {
        return FORBIDDEN.stream()
                .map(Option::key)
                .filter(key -> review.effective().get(key).isPresent())
                .map(
                        key ->
                                at(
                                        review.jobReview(),
                                        key,
                                        "must not be set: it follows from the resource's name and"
                                                + " namespace; remove it"))
                .toList();
    }

    private static List<FieldProblem> highAvailability(DeploymentReview review) {
        var options = new Options(review.effective());
        if (options.usesZooKeeper()) {
            return when(
                    !options.isSet(FlinkOptions.ZOOKEEPER_QUORUM),
                    missing(
                            configurationPath(FlinkOptions.ZOOKEEPER_QUORUM.key()),
                            "is required with high-availability.type: zookeeper; name the hosts"
                                    + " and ports of ZooKeeper"));
        }
        return when(
                options.unknownHighAvailability().isPresent(),
                at(
                        review.jobReview(),
                        FlinkOptions.HIGH_AVAILABILITY.key(),
                        "is not supported; use kubernetes, zookeeper, or NONE"));
    }

    private static List<FieldProblem> restTls(DeploymentReview review) {
        var options = new Options(review.effective());
        if (!options.usesRestTls() || new Options(review.granted()).get(RequestOptions.REST_TLS)) {
            return List.of();
        }
        return TLS.stream()
                .filter(options::get)
                .map(
                        option ->
                                at(
                                        review.jobReview(),
                                        option.key(),
                                        "makes the JobManager use TLS, for which the operator has"
                                                + " no certificates; remove it, or ask the platform"
                                                + " team to set jobManagerTls.secretName in the"
                                                + " chart"))
                .toList();
    }

    private static List<FieldProblem> rollback(DeploymentReview review) {
        var options = new Options(review.effective());
        return when(
                options.get(LifecycleOptions.ROLLBACK) && !options.isHighlyAvailable(),
                at(
                        review.jobReview(),
                        LifecycleOptions.ROLLBACK.key(),
                        "needs high availability; set high-availability.type: kubernetes and"
                                + " high-availability.storageDir, or turn it off"));
    }

    private static List<FieldProblem> healthCheck(DeploymentReview review) {
        var options = new Options(review.effective());
        return when(
                options.get(LifecycleOptions.HEALTH_CHECK)
                        && !options.get(LifecycleOptions.JOB_MANAGER_RECOVERY),
                at(
                        review.jobReview(),
                        LifecycleOptions.HEALTH_CHECK.key(),
                        "needs "
                                + LifecycleOptions.JOB_MANAGER_RECOVERY.key()
                                + ": true; turn both on, or this off"));
    }

    private static List<FieldProblem> logFiles(DeploymentReview review) {
        return new TreeMap<>(review.spec().logConfiguration())
                .keySet().stream()
                        .filter(key -> !LOG_FILES.contains(key))
                        .map(
                                key ->
                                        at(
                                                "spec.logConfiguration[" + key + "]",
                                                key,
                                                "is not a file that Flink reads; use"
                                                        + " log4j-console.properties or"
                                                        + " logback-console.xml"))
                        .toList();
    }
}
