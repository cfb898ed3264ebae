// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.job;

import static io.sluice.rules.review.Problems.at;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.AdmissionPolicy;
import io.sluice.rules.config.KnownOptions;
import io.sluice.rules.config.option.AdmissionOptions;
import io.sluice.rules.review.JobReview;
import io.sluice.rules.review.Rule;
import java.util.List;
import java.util.TreeSet;

/**
 * Options that would act on the operator instead of the job, under each name that Flink reads them
 * by.
 */
public final class RestrictedKeys {
    private static final String ID = "restricted-config-key";
    private static final String WHY =
            "These keys make the operator read a file of its own container, or connect to another"
                    + " address than the cluster's. "
                    + AdmissionOptions.RESTRICTED_KEYS.key()
                    + " (deny, warn or off; deny unless set) relaxes it, for all or for a"
                    + " namespace.";

    /** Read by whoever renders or submits a cluster: the operator, in its own container. */
    private static final List<String> FILES =
            List.of(
                    "$internal.deployment.config-dir",
                    "kubernetes.config.file",
                    "kubernetes.pod-template-file",
                    "kubernetes.pod-template-file.default",
                    "kubernetes.pod-template-file.jobmanager",
                    "kubernetes.pod-template-file.taskmanager",
                    "security.kerberos.krb5-conf.path",
                    "security.kerberos.login.keytab");

    /** Where the operator looks for the cluster; follows from the resource's name and namespace. */
    private static final List<String> ENDPOINTS =
            List.of("jobmanager.rpc.address", "kubernetes.context", "rest.address");

    static final List<Rule<JobReview>> RULES =
            List.of(
                    new Rule<>(
                            ID,
                            "spec.flinkConfiguration",
                            WHY,
                            review ->
                                    policy(review) == AdmissionPolicy.Keys.DENY
                                            ? find(review)
                                            : List.of()));

    /** The same as warnings, where the operator's configuration asks for no more. */
    public static final List<Rule<JobReview>> ADVICE =
            List.of(
                    new Rule<>(
                            ID,
                            "spec.flinkConfiguration",
                            WHY,
                            review ->
                                    policy(review) == AdmissionPolicy.Keys.WARN
                                            ? find(review)
                                            : List.of()));

    private RestrictedKeys() {}

    private static AdmissionPolicy.Keys policy(JobReview review) {
        return AdmissionPolicy.keys(review.granted());
    }

    /** Only the resource's own entries: what the operator's configuration says is granted. */
    private static List<FieldProblem> find(JobReview review) {
        var keys = new TreeSet<String>(review.own().entries().keySet());
        keys.removeIf(key -> !isOneOf(FILES, key) && !isOneOf(ENDPOINTS, key));
        return keys.stream()
                .map(
                        key ->
                                at(
                                        review,
                                        key,
                                        isOneOf(FILES, key)
                                                ? "names a file of the operator's container; mount"
                                                        + " the file through spec.podTemplate and"
                                                        + " remove the key"
                                                : "names another address than the cluster's own;"
                                                        + " remove it"))
                .toList();
    }

    /** Flink reads an option by its older names, too, where the newest is not set. */
    private static boolean isOneOf(List<String> options, String key) {
        return options.contains(key)
                || KnownOptions.replacement(key).filter(options::contains).isPresent();
    }
}
