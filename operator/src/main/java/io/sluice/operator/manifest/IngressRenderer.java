// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.manifest;

import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.HTTPIngressPathBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.HTTPIngressRuleValueBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.IngressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.IngressSpecBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.IngressTLSBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.IngressSpec;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Renders the Ingress of a JobManager's REST API and UI (contract, reconciler 11): named after the
 * resource, which owns it, so that it outlives restarts of the cluster and goes with the resource.
 */
public final class IngressRenderer {
    /** What the Ingress was rendered from, in short: two that differ are two Ingresses. */
    public static final String FINGERPRINT = "sluice.io/ingress";

    private static final Pattern NAME =
            Pattern.compile("\\{\\{\\s*name\\s*}}", Pattern.CASE_INSENSITIVE);
    private static final Pattern NAMESPACE =
            Pattern.compile("\\{\\{\\s*namespace\\s*}}", Pattern.CASE_INSENSITIVE);
    private static final Pattern URL =
            Pattern.compile("(?:https?://)?([^/:]*)(?::\\d{1,5})?(/.*)?");

    private IngressRenderer() {}

    /** Which resource the Ingress is for. */
    public record Subject(String namespace, String name, String uid) {}

    /**
     * @param restPort the port of the Service {@code <name>-rest}
     * @return empty if the template gives no URL, which the rules report
     */
    public static Optional<Ingress> render(Subject subject, IngressSpec spec, int restPort) {
        return spec.template()
                .map(template -> filledIn(template.strip(), subject))
                .map(URL::matcher)
                .filter(Matcher::matches)
                .map(url -> ingress(subject, spec, url, restPort))
                .map(IngressRenderer::fingerprinted);
    }

    private static String filledIn(String template, Subject subject) {
        String named = NAME.matcher(template).replaceAll(subject.name());
        return NAMESPACE.matcher(named).replaceAll(subject.namespace());
    }

    private static Ingress ingress(Subject subject, IngressSpec spec, Matcher url, int restPort) {
        Map<String, String> labels = new TreeMap<>(spec.labels());
        labels.put("app", subject.name());
        labels.put("component", "ingress");
        return new IngressBuilder()
                .withNewMetadata()
                .withName(subject.name())
                .withNamespace(subject.namespace())
                .withLabels(labels)
                .withAnnotations(new TreeMap<>(spec.annotations()))
                .withOwnerReferences(
                        new OwnerReferenceBuilder()
                                .withApiVersion(
                                        FlinkDeployment.GROUP + "/" + FlinkDeployment.VERSION)
                                .withKind("FlinkDeployment")
                                .withName(subject.name())
                                .withUid(subject.uid())
                                .withController(true)
                                .withBlockOwnerDeletion(true)
                                .build())
                .endMetadata()
                .withSpec(rules(subject, spec, url, restPort).build())
                .build();
    }

    private static IngressSpecBuilder rules(
            Subject subject, IngressSpec spec, Matcher url, int restPort) {
        var path =
                new HTTPIngressPathBuilder()
                        .withPath(Optional.ofNullable(url.group(2)).orElse("/"))
                        .withPathType("ImplementationSpecific")
                        .withNewBackend()
                        .withNewService()
                        .withName(subject.name() + "-rest")
                        .withNewPort()
                        .withNumber(restPort)
                        .endPort()
                        .endService()
                        .endBackend()
                        .build();
        var rule =
                new IngressRuleBuilder()
                        .withHttp(new HTTPIngressRuleValueBuilder().withPaths(path).build());
        if (!url.group(1).isEmpty()) {
            rule.withHost(url.group(1));
        }
        var rendered = new IngressSpecBuilder().withRules(rule.build());
        spec.className().ifPresent(rendered::withIngressClassName);
        for (IngressSpec.Tls tls : spec.tls()) {
            var entry = new IngressTLSBuilder().withHosts(tls.hosts());
            tls.secretName().ifPresent(entry::withSecretName);
            rendered.addToTls(entry.build());
        }
        return rendered;
    }

    /** A removed label or annotation changes the fingerprint, where it would else go unnoticed. */
    private static Ingress fingerprinted(Ingress ingress) {
        String of =
                ingress.getMetadata().getLabels()
                        + "\n"
                        + ingress.getMetadata().getAnnotations()
                        + "\n"
                        + ingress.getSpec();
        ingress.getMetadata()
                .getAnnotations()
                .put(
                        FINGERPRINT,
                        UUID.nameUUIDFromBytes(of.getBytes(StandardCharsets.UTF_8)).toString());
        return ingress;
    }
}
