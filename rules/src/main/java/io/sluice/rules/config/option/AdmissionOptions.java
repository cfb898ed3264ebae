// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.PATTERNS;
import static io.sluice.rules.config.option.OptionType.oneOf;

import java.time.Duration;
import java.util.List;

/** What resources may ask for, as a platform team allows it for all or for a namespace. */
public final class AdmissionOptions {
    private static final OptionGroup OPTIONS = new OptionGroup();

    public static final Option<List<String>> ALLOWED_INGRESS_HOSTS =
            OPTIONS.option("admission.allowed.ingress-hosts", PATTERNS, "*")
                    .now(
                            "hosts of Ingresses and HTTPRoutes, as in *.{{namespace}}.example.org;"
                                    + " this and the next ones: * for all, none for nothing");

    public static final Option<List<String>> ALLOWED_INGRESS_CLASSES =
            OPTIONS.option("admission.allowed.ingress-classes", PATTERNS, "*")
                    .now(
                            "classes that spec.ingress may name; none leaves the cluster's default"
                                    + " one");

    public static final Option<List<String>> ALLOWED_INGRESS_ANNOTATIONS =
            OPTIONS.option("admission.allowed.ingress-annotations", PATTERNS, "*")
                    .now(
                            "annotations of Ingresses and HTTPRoutes, as in"
                                    + " nginx.ingress.kubernetes.io/rewrite-target or"
                                    + " example.org/*");

    public static final Option<List<String>> ALLOWED_INGRESS_TLS_SECRETS =
            OPTIONS.option("admission.allowed.ingress-tls-secrets", PATTERNS, "*")
                    .now("Secrets with the certificates of Ingresses, as in {{name}}-tls");

    public static final Option<List<String>> ALLOWED_SERVICE_TYPES =
            OPTIONS.option("admission.allowed.service-types", PATTERNS, "*")
                    .now("of ClusterIP, Headless_ClusterIP, NodePort and LoadBalancer");

    public static final Option<List<String>> ALLOWED_SERVICE_ANNOTATIONS =
            OPTIONS.option("admission.allowed.service-annotations", PATTERNS, "*")
                    .now("annotations of Flink's Services");

    public static final Option<List<String>> ALLOWED_SERVICE_ACCOUNTS =
            OPTIONS.option("admission.allowed.service-accounts", PATTERNS, "*")
                    .now("service accounts of Flink's pods");

    public static final Option<List<String>> ALLOWED_POD_ANNOTATIONS =
            OPTIONS.option("admission.allowed.pod-annotations", PATTERNS, "*")
                    .now("annotations of Flink's pods");

    public static final Option<List<String>> ALLOWED_POD_LABELS =
            OPTIONS.option("admission.allowed.pod-labels", PATTERNS, "*")
                    .now("labels of Flink's pods beside Flink's own");

    public static final Option<List<String>> ALLOWED_PRIORITY_CLASSES =
            OPTIONS.option("admission.allowed.priority-classes", PATTERNS, "*")
                    .now("priority classes of Flink's pods");

    public static final Option<List<String>> ALLOWED_RUNTIME_CLASSES =
            OPTIONS.option("admission.allowed.runtime-classes", PATTERNS, "*")
                    .now("runtime classes of Flink's pods");

    public static final Option<List<String>> ALLOWED_TOLERATIONS =
            OPTIONS.option("admission.allowed.tolerations", PATTERNS, "*")
                    .now(
                            "keys of taints that Flink's pods may tolerate; unless it is * they"
                                    + " may name no node");

    public static final Option<List<String>> ALLOWED_SECRETS =
            OPTIONS.option("admission.allowed.secrets", PATTERNS, "*")
                    .now("Secrets that Flink's pods may have, for their images too");

    public static final Option<List<String>> ALLOWED_VOLUME_CLAIMS =
            OPTIONS.option("admission.allowed.volume-claims", PATTERNS, "*")
                    .now("claims that Flink's pods may mount");

    public static final Option<List<String>> ALLOWED_CSI_DRIVERS =
            OPTIONS.option("admission.allowed.csi-drivers", PATTERNS, "*")
                    .now("drivers of volumes that are written into a pod template");

    public static final Option<String> POD_SECURITY =
            OPTIONS.option(
                            "admission.pod-security",
                            oneOf("restricted", "baseline", "warn", "off", "false"),
                            "warn")
                    .now("of pod templates; warn tells of what is below baseline, false is off");

    public static final Option<String> RESTRICTED_KEYS =
            OPTIONS.option(
                            "admission.restricted-keys",
                            oneOf("deny", "warn", "off", "false"),
                            "deny")
                    .now("of options that a resource must not set; false is off");

    public static final Option<Duration> PLUGIN_TIMEOUT =
            OPTIONS.option("admission.plugin-timeout", DURATION, "2 s")
                    .where(Duration::isPositive)
                    .now(
                            "for all validators of plugins together to answer a review of the"
                                    + " webhook, and again for all mutators; then the review is"
                                    + " refused. Keep it below half of webhook.timeoutSeconds of"
                                    + " the chart");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private AdmissionOptions() {}
}
