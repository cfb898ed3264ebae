// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.certs.CertPolicy;
import io.sluice.certs.CertState;
import io.sluice.certs.Rotator;
import io.sluice.certs.SecretCertStore;
import io.sluice.certs.WebhookConfigurations;
import io.sluice.testkit.ApiServer;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many rotators at a real API server, under the chart's role. */
class RotatorsIT {
    private static final int ROTATORS = 6;

    @RegisterExtension static final ApiServer API = new ApiServer();

    private InstalledWebhook installed;
    private KubernetesClient role;
    private List<Rotator> rotators;

    @BeforeEach
    void install() throws Exception {
        installed = new InstalledWebhook(API);
        installed.grantRole();
        installed.register(1);
        role = installed.clientOfTheRole();
        rotators = Stream.generate(this::rotator).limit(ROTATORS).toList();
    }

    @AfterEach
    void remove() throws Exception {
        role.close();
        installed.remove();
    }

    @Test
    void agreeOnOneCertificateAndThenWriteNothingMore() throws Exception {
        List<CertState> first = allAtOnce();
        List<String> versions = versions();
        for (int round = 0; round < 3; round++) {
            allAtOnce();
        }

        assertThat(
                        first.stream()
                                .flatMap(each -> each.material().stream())
                                .map(each -> each.leaf()))
                .isNotEmpty();
        assertThat(allAtOnce())
                .allMatch(CertState::trusted)
                .extracting(each -> each.material().orElseThrow().leaf())
                .hasSize(ROTATORS)
                .containsOnly(first.getFirst().material().orElseThrow().leaf());
        assertThat(versions()).isEqualTo(versions);
    }

    private List<CertState> allAtOnce() throws Exception {
        List<Callable<CertState>> passes =
                rotators.stream().map(each -> (Callable<CertState>) each::pass).toList();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads.invokeAll(passes).stream().map(Future::resultNow).toList();
        }
    }

    /** Of everything that a rotator writes. */
    private List<String> versions() {
        var configurations = API.client().admissionRegistration().v1();
        return Stream.of(
                        API.client()
                                .secrets()
                                .inNamespace(installed.namespace())
                                .withName(installed.secret())
                                .get(),
                        configurations
                                .validatingWebhookConfigurations()
                                .withName(installed.configuration("validating"))
                                .get(),
                        configurations
                                .mutatingWebhookConfigurations()
                                .withName(installed.configuration("mutating"))
                                .get())
                .map(each -> each.getMetadata().getResourceVersion())
                .toList();
    }

    private Rotator rotator() {
        return new Rotator(
                CertPolicy.of(List.of("127.0.0.1")),
                new SecretCertStore(role, installed.namespace(), installed.secret()),
                new WebhookConfigurations(
                        role,
                        installed.configuration("validating"),
                        installed.configuration("mutating")),
                InstantSource.system());
    }
}
