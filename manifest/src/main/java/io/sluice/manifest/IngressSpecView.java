// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.IngressSpec;
import io.sluice.rules.pattern.Placeholders;
import io.sluice.rules.tenancy.IngressUrl;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The way to a JobManager's REST API and UI from outside, whatever it is made of
 * (docs/contract/reconciler.md, section 11): named after the resource, which owns it, so that it
 * outlives restarts of the cluster and goes with the resource.
 *
 * @param host empty for any
 * @param path from the root on
 */
public record IngressSpecView(
        Subject subject, IngressSpec spec, Optional<String> host, String path) {
    /** A digest of what it is rendered from: another digest is another Ingress or HTTPRoute. */
    public static final String FINGERPRINT = "sluice.io/ingress";

    /** Selects them, whoever made them. */
    public static final String SELECTOR = "component=ingress";

    /**
     * Which resource it is for.
     *
     * @param kind of the resource
     * @param cluster whose JobManager it leads to
     */
    public record Subject(String kind, String namespace, String name, String uid, String cluster) {
        /** A FlinkDeployment, which is a cluster of its own. */
        public Subject(String namespace, String name, String uid) {
            this("FlinkDeployment", namespace, name, uid, name);
        }
    }

    /** Empty if the template gives no URL, which the rules report. */
    public static Optional<IngressSpecView> of(Subject subject, IngressSpec spec) {
        var names = new Placeholders(subject.namespace(), subject.name());
        return spec.template()
                .flatMap(template -> IngressUrl.of(template, names))
                .map(url -> new IngressSpecView(subject, spec, url.host(), url.path()));
    }

    /**
     * An HTTPRoute of {@code gateway}, or else an Ingress.
     *
     * @param restPort the port of the Service {@code <name>-rest}
     */
    public HasMetadata manifest(Optional<GatewayRef> gateway, int restPort) {
        return gateway.<HasMetadata>map(to -> RouteRenderer.render(this, restPort, to))
                .orElseGet(() -> IngressRenderer.render(this, restPort));
    }

    /** The Service it leads to. */
    String service() {
        return subject.cluster() + "-rest";
    }

    ObjectMeta metadata() {
        Map<String, String> labels = new TreeMap<>(spec.labels());
        labels.put("app", subject.name());
        labels.put("component", "ingress");
        return new ObjectMetaBuilder()
                .withName(subject.name())
                .withNamespace(subject.namespace())
                .withLabels(labels)
                .withAnnotations(new TreeMap<>(spec.annotations()))
                .withOwnerReferences(
                        new OwnerReferenceBuilder()
                                .withApiVersion(ApiVersion.TEXT)
                                .withKind(subject.kind())
                                .withName(subject.name())
                                .withUid(subject.uid())
                                .withController(true)
                                .withBlockOwnerDeletion(true)
                                .build())
                .build();
    }

    /** A removed label or annotation changes the fingerprint, where it would else go unnoticed. */
    static <R extends HasMetadata> R fingerprinted(R rendered, Object spec) {
        ObjectMeta metadata = rendered.getMetadata();
        String of = metadata.getLabels() + "\n" + metadata.getAnnotations() + "\n" + spec;
        metadata.getAnnotations()
                .put(
                        FINGERPRINT,
                        UUID.nameUUIDFromBytes(of.getBytes(StandardCharsets.UTF_8)).toString());
        return rendered;
    }
}
