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
                    .addedBySluice()
                    .now(
                            "Allowed hosts of Ingresses and HTTPRoutes, such as"
                                    + " *.{{namespace}}.example.org. In this option and the"
                                    + " following ones, * allows everything and none allows"
                                    + " nothing.");

    public static final Option<List<String>> ALLOWED_INGRESS_CLASSES =
            OPTIONS.option("admission.allowed.ingress-classes", PATTERNS, "*")
                    .addedBySluice()
                    .now(
                            "Classes that spec.ingress may name. With none, only the cluster's"
                                    + " default class is used.");

    public static final Option<List<String>> ALLOWED_INGRESS_ANNOTATIONS =
            OPTIONS.option("admission.allowed.ingress-annotations", PATTERNS, "*")
                    .addedBySluice()
                    .now(
                            "Allowed annotations of Ingresses and HTTPRoutes, such as"
                                    + " nginx.ingress.kubernetes.io/rewrite-target or"
                                    + " example.org/*.");

    public static final Option<List<String>> ALLOWED_INGRESS_TLS_SECRETS =
            OPTIONS.option("admission.allowed.ingress-tls-secrets", PATTERNS, "*")
                    .addedBySluice()
                    .now(
                            "Secrets that may hold the certificates of Ingresses, such as"
                                    + " {{name}}-tls.");

    public static final Option<List<String>> ALLOWED_SERVICE_TYPES =
            OPTIONS.option("admission.allowed.service-types", PATTERNS, "*")
                    .addedBySluice()
                    .now(
                            "Allowed types of Services: ClusterIP, Headless_ClusterIP, NodePort and"
                                    + " LoadBalancer.");

    public static final Option<List<String>> ALLOWED_SERVICE_ANNOTATIONS =
            OPTIONS.option("admission.allowed.service-annotations", PATTERNS, "*")
                    .addedBySluice()
                    .now("Allowed annotations of Flink's Services.");

    public static final Option<List<String>> ALLOWED_SERVICE_ACCOUNTS =
            OPTIONS.option("admission.allowed.service-accounts", PATTERNS, "*")
                    .addedBySluice()
                    .now("Allowed service accounts of Flink's pods.");

    public static final Option<List<String>> ALLOWED_POD_ANNOTATIONS =
            OPTIONS.option("admission.allowed.pod-annotations", PATTERNS, "*")
                    .addedBySluice()
                    .now("Allowed annotations of Flink's pods.");

    public static final Option<List<String>> ALLOWED_POD_LABELS =
            OPTIONS.option("admission.allowed.pod-labels", PATTERNS, "*")
                    .addedBySluice()
                    .now("Allowed labels of Flink's pods, besides those that Flink sets.");

    public static final Option<List<String>> ALLOWED_PRIORITY_CLASSES =
            OPTIONS.option("admission.allowed.priority-classes", PATTERNS, "*")
                    .addedBySluice()
                    .now("Allowed priority classes of Flink's pods.");

    public static final Option<List<String>> ALLOWED_RUNTIME_CLASSES =
            OPTIONS.option("admission.allowed.runtime-classes", PATTERNS, "*")
                    .addedBySluice()
                    .now("Allowed runtime classes of Flink's pods.");

    public static final Option<List<String>> ALLOWED_TOLERATIONS =
            OPTIONS.option("admission.allowed.tolerations", PATTERNS, "*")
                    .addedBySluice()
                    .now(
                            "Keys of taints that Flink's pods may tolerate. Unless this is *, the"
                                    + " pods may not name a node.");

    public static final Option<List<String>> ALLOWED_SECRETS =
            OPTIONS.option("admission.allowed.secrets", PATTERNS, "*")
                    .addedBySluice()
                    .now("Secrets that Flink's pods may use, including those for pulling images.");

    public static final Option<List<String>> ALLOWED_VOLUME_CLAIMS =
            OPTIONS.option("admission.allowed.volume-claims", PATTERNS, "*")
                    .addedBySluice()
                    .now("Volume claims that Flink's pods may mount.");

    public static final Option<List<String>> ALLOWED_CSI_DRIVERS =
            OPTIONS.option("admission.allowed.csi-drivers", PATTERNS, "*")
                    .addedBySluice()
                    .now("CSI drivers of volumes that a pod template defines inline.");

    public static final Option<String> POD_SECURITY =
            OPTIONS.option(
                            "admission.pod-security",
                            oneOf("restricted", "baseline", "warn", "off", "false"),
                            "warn")
                    .addedBySluice()
                    .now(
                            "The Pod Security standard for pod templates. warn only warns of what"
                                    + " is below baseline; false is the same as off.");

    public static final Option<String> RESTRICTED_KEYS =
            OPTIONS.option(
                            "admission.restricted-keys",
                            oneOf("deny", "warn", "off", "false"),
                            "deny")
                    .addedBySluice()
                    .now(
                            "What happens with options that a resource must not set. false is the"
                                    + " same as off.");

    public static final Option<Duration> PLUGIN_TIMEOUT =
            OPTIONS.option("admission.plugin-timeout", DURATION, "2 s")
                    .where(Duration::isPositive)
                    .addedBySluice()
                    .now(
                            "How long all validators of plugins together may take for a review of"
                                    + " the webhook, and all mutators likewise. After that the"
                                    + " review is refused. Keep it below half of"
                                    + " webhook.timeoutSeconds of the chart.");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private AdmissionOptions() {}
}
