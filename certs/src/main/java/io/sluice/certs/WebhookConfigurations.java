// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The caBundle of the validating and of the mutating webhook configuration. */
public final class WebhookConfigurations implements BundlePublisher {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookConfigurations.class);

    private final JsonObjects objects;
    private final List<Configuration> configurations;

    private record Configuration(String kind, String name) {
        String path() {
            return "/apis/admissionregistration.k8s.io/v1/%ss/%s"
                    .formatted(kind.toLowerCase(Locale.ROOT), name);
        }

        @Override
        public String toString() {
            return kind + " " + name;
        }
    }

    public WebhookConfigurations(KubernetesClient client, String validating, String mutating) {
        this.objects = new JsonObjects(client);
        this.configurations =
                List.of(
                        new Configuration("ValidatingWebhookConfiguration", validating),
                        new Configuration("MutatingWebhookConfiguration", mutating));
    }

    @Override
    public Publication read() {
        List<Publication.Target> targets = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        for (Configuration each : configurations) {
            objects.get(each.path())
                    .ifPresentOrElse(
                            found -> targets.add(target(each, found)),
                            () -> absent.add(each.toString()));
        }
        return new Publication(targets, absent);
    }

    @Override
    public void publish(String bundle, Publication seen) {
        configurations.forEach(
                each ->
                        objects.get(each.path())
                                .ifPresent(found -> write(each, found, bundle, seen)));
    }

    private void write(
            Configuration configuration, ObjectNode found, String bundle, Publication seen) {
        var target = target(configuration, found);
        if (target.holds(bundle) || !seen.targets().contains(target)) {
            return;
        }
        String encoded = Base64.getEncoder().encodeToString(bundle.getBytes(UTF_8));
        found.withArray("/webhooks")
                .forEach(webhook -> webhook.withObject("/clientConfig").put("caBundle", encoded));
        if (objects.replace(configuration.path(), found)) {
            LOG.atInfo().addKeyValue("configuration", target.name()).log("published the CA bundle");
        }
    }

    private static Publication.Target target(Configuration configuration, JsonNode found) {
        return new Publication.Target(
                configuration.toString(),
                found.at("/metadata/resourceVersion").asText(),
                bundles(found));
    }

    private static Set<String> bundles(JsonNode found) {
        Stream<JsonNode> webhooks =
                StreamSupport.stream(found.path("webhooks").spliterator(), false);
        return webhooks.map(webhook -> webhook.at("/clientConfig/caBundle").asText())
                .map(encoded -> new String(Base64.getMimeDecoder().decode(encoded), UTF_8))
                .collect(Collectors.toSet());
    }
}
