// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A real kube-apiserver with etcd and our CRDs, one for all test classes of a JVM that want it with
 * the same admission plugins. There is no controller and no node behind it: a Deployment stays
 * without pods unless the test makes some, and a namespace that is deleted never goes.
 *
 * <pre>
 *   &#64;RegisterExtension static final ApiServer API = new ApiServer();
 *   KubernetesClient client = API.client();
 *   String namespace = API.newNamespace();
 * </pre>
 *
 * <p>A test method may also take a {@link KubernetesClient} as parameter.
 */
public final class ApiServer implements BeforeAllCallback, ParameterResolver, TestCluster {
    private static final ExtensionContext.Namespace STORE =
            ExtensionContext.Namespace.create(ApiServer.class);
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private final Map<String, String> flags;
    private volatile RunningApiServer shared = RunningApiServer.NONE;

    /** With the admission plugins that Kubernetes has on by default. */
    public ApiServer() {
        this(Map.of());
    }

    private ApiServer(Map<String, String> flags) {
        this.flags = flags;
    }

    /** With more admission plugins, such as {@code OwnerReferencesPermissionEnforcement}. */
    public static ApiServer enabling(String... plugins) {
        return new ApiServer(Map.of("--enable-admission-plugins", String.join(",", plugins)));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        shared =
                context.getRoot()
                        .getStore(STORE)
                        .computeIfAbsent(
                                flags, _ -> RunningApiServer.start(flags), RunningApiServer.class);
    }

    /** An administrator's client, closed with the server. */
    @Override
    public KubernetesClient client() {
        return shared.client();
    }

    /** A client of one's own, to be closed by the caller. */
    public KubernetesClient newClient() {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(shared.kubeconfig()))
                .build();
    }

    /** What {@code KUBECONFIG} would point to. */
    public String kubeconfig() {
        return shared.kubeconfig();
    }

    @Override
    public String newNamespace() {
        String name = "test-" + NAMESPACES.incrementAndGet();
        client().resource(
                        new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .endMetadata()
                                .build())
                .create();
        return name;
    }

    /** The server delivers by itself. */
    @Override
    public void deliver() {
        // There is nothing to be told.
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == KubernetesClient.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return client();
    }
}
