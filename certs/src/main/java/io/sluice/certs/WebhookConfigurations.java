// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The caBundle of the validating and of the mutating webhook configuration. */
public final class WebhookConfigurations implements BundlePublisher {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookConfigurations.class);

    private final KubernetesClient client;
    private final String validating;
    private final String mutating;

    public WebhookConfigurations(KubernetesClient client, String validating, String mutating) {
        this.client = client;
        this.validating = validating;
        this.mutating = mutating;
    }

    @Override
    public Publication read() {
        List<Publication.Target> targets = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        validating()
                .ifPresentOrElse(
                        found -> targets.add(target(found, clients(found))),
                        () -> absent.add("ValidatingWebhookConfiguration " + validating));
        mutating()
                .ifPresentOrElse(
                        found -> targets.add(target(found, clients(found))),
                        () -> absent.add("MutatingWebhookConfiguration " + mutating));
        return new Publication(targets, absent);
    }

    @Override
    public void publish(String bundle, Publication seen) {
        validating().ifPresent(found -> write(found, clients(found), bundle, seen));
        mutating().ifPresent(found -> write(found, clients(found), bundle, seen));
    }

    private void write(
            HasMetadata found, List<WebhookClientConfig> clients, String bundle, Publication seen) {
        var target = target(found, clients);
        if (target.holds(bundle) || !seen.targets().contains(target)) {
            return;
        }
        String encoded = Base64.getEncoder().encodeToString(bundle.getBytes(UTF_8));
        clients.forEach(each -> each.setCaBundle(encoded));
        try {
            client.resource(found).lockResourceVersion(target.version()).update();
            LOG.atInfo().addKeyValue("configuration", target.name()).log("published the CA bundle");
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw failure;
            }
        }
    }

    private Optional<ValidatingWebhookConfiguration> validating() {
        return Optional.ofNullable(
                client.admissionRegistration()
                        .v1()
                        .validatingWebhookConfigurations()
                        .withName(validating)
                        .get());
    }

    private Optional<MutatingWebhookConfiguration> mutating() {
        return Optional.ofNullable(
                client.admissionRegistration()
                        .v1()
                        .mutatingWebhookConfigurations()
                        .withName(mutating)
                        .get());
    }

    private static List<WebhookClientConfig> clients(ValidatingWebhookConfiguration found) {
        return found.getWebhooks().stream().map(webhook -> webhook.getClientConfig()).toList();
    }

    private static List<WebhookClientConfig> clients(MutatingWebhookConfiguration found) {
        return found.getWebhooks().stream().map(webhook -> webhook.getClientConfig()).toList();
    }

    private static Publication.Target target(HasMetadata found, List<WebhookClientConfig> clients) {
        return new Publication.Target(
                found.getKind() + " " + found.getMetadata().getName(),
                found.getMetadata().getResourceVersion(),
                clients.stream().map(WebhookConfigurations::bundle).collect(Collectors.toSet()));
    }

    private static String bundle(WebhookClientConfig client) {
        return Optional.ofNullable(client.getCaBundle())
                .map(encoded -> new String(Base64.getMimeDecoder().decode(encoded), UTF_8))
                .orElse("");
    }
}
