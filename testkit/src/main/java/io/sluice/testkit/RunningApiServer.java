// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.Optional;

/** A started server and what belongs to it. JUnit closes it after the last test class. */
public record RunningApiServer(
        Optional<KubeAPIServer> server, String kubeconfig, Optional<KubernetesClient> connection)
        implements AutoCloseable {
    static final RunningApiServer NONE =
            new RunningApiServer(Optional.empty(), "", Optional.empty());

    public static RunningApiServer start() {
        KubeAPIServer server =
                new KubeAPIServer(
                        KubeAPIServerConfigBuilder.anAPIServerConfig()
                                .withTestDir(toolFolder())
                                .withOfflineMode(true)
                                .withUpdateKubeConfig(false)
                                .withStartupTimeout(120_000)
                                .build());
        server.start();
        String kubeconfig = server.getKubeConfigYaml();
        KubernetesClient client =
                new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(kubeconfig)).build();
        Crds.install(client);
        return new RunningApiServer(Optional.of(server), kubeconfig, Optional.of(client));
    }

    public KubernetesClient client() {
        return connection.orElseThrow(
                () ->
                        new IllegalStateException(
                                "the API server starts with the test class: register the extension"
                                        + " as a static field"));
    }

    @Override
    public void close() {
        connection.ifPresent(KubernetesClient::close);
        server.ifPresent(KubeAPIServer::stop);
    }

    private static String toolFolder() {
        return environment("JENVTEST_DIR")
                .or(() -> environment("SLUICE_API_TEST"))
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "SLUICE_API_TEST is not set: it must name the folder of"
                                                + " kube-apiserver and etcd that 'local/toolbox"
                                                + " api-test' prints"));
    }

    private static Optional<String> environment(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }
}
