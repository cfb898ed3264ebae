// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.system.OperatorAccount;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The real process under the chart's roles, with a list of namespaces, one of which is broken. */
class RefusedNamespacesIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    @TempDir private Path folder;
    private KubernetesClient client;
    private String own;
    private String good;
    private OperatorAccount account;

    @BeforeEach
    void prepare() {
        client = API.client();
        own = API.newNamespace();
        good = API.newNamespace();
        account = OperatorAccount.in(API, own).serving(good);
    }

    @Test
    void aNamespaceWithoutItsRoleBindingKeepsNoOtherFromBeingServed() throws IOException {
        String broken = API.newNamespace();
        account.serving(broken);
        account.unbind(broken);
        try (var operator = start(broken)) {
            create(good, "orders");
            create(broken, "orders");
            soon(() -> assertThat(isCarriedOut(good, "orders")).isTrue());
            soon(() -> assertThat(operator.metrics()).contains(served(good, 1), served(broken, 0)));
            assertThat(operator.get("/healthz").statusCode()).isEqualTo(200);
            assertThat(operator.log()).contains("Namespace '" + broken + "' is not served");
            soon(() -> assertThat(told()).contains("'" + broken + "' is not served", "forbidden"));

            account.bind(broken);

            soon(() -> assertThat(isCarriedOut(broken, "orders")).isTrue());
            soon(() -> assertThat(operator.metrics()).contains(served(broken, 1)));
            create(good, "more");
            soon(() -> assertThat(isCarriedOut(good, "more")).isTrue());
            assertThat(operator.get("/healthz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aNamespaceThatIsNotThereKeepsNoOtherFromBeingServedAndIsServedOnceItIs()
            throws IOException {
        String missing = own + "-missing";
        try (var operator = start(missing)) {
            create(good, "orders");
            soon(() -> assertThat(isCarriedOut(good, "orders")).isTrue());
            soon(() -> assertThat(operator.metrics()).contains(served(missing, 0)));

            client.resource(
                            new NamespaceBuilder()
                                    .withNewMetadata()
                                    .withName(missing)
                                    .endMetadata()
                                    .build())
                    .create();
            account.serving(missing);
            create(missing, "orders");

            soon(() -> assertThat(isCarriedOut(missing, "orders")).isTrue());
        }
    }

    @Test
    void aNamespaceThatLosesItsRightsWhileTheProcessRunsIsToldOfAndServedAgain()
            throws IOException {
        String losing = API.newNamespace();
        account.serving(losing);
        try (var operator = start(losing)) {
            create(losing, "orders");
            soon(() -> assertThat(isCarriedOut(losing, "orders")).isTrue());

            account.unbind(losing);

            soon(() -> assertThat(operator.metrics()).contains(served(losing, 0)));
            create(good, "orders");
            soon(() -> assertThat(isCarriedOut(good, "orders")).isTrue());
            assertThat(operator.get("/healthz").statusCode()).isEqualTo(200);

            account.bind(losing);

            soon(() -> assertThat(operator.metrics()).contains(served(losing, 1)));
            create(losing, "more");
            soon(() -> assertThat(isCarriedOut(losing, "more")).isTrue());
        }
    }

    /** As the chart starts one replica. */
    private OperatorUnderTest start(String other) throws IOException {
        return OperatorUnderTest.start(
                folder,
                account.kubeconfig(),
                own,
                "",
                Map.of(
                        "SLUICE_LEADER_ELECTION",
                        "",
                        "SLUICE_WATCH_NAMESPACES",
                        good + "," + other));
    }

    private static String served(String namespace, int value) {
        return "sluice_operator_namespace_served{namespace=\"%s\",} %d.0"
                .formatted(namespace, value);
    }

    private String told() {
        return client.v1().events().inNamespace(own).list().getItems().stream()
                .filter(event -> event.getReason().equals("NamespaceRefused"))
                .map(event -> event.getMessage())
                .reduce("", String::concat);
    }

    private boolean isCarriedOut(String namespace, String name) {
        return client.apps().deployments().inNamespace(namespace).withName(name).get() != null;
    }

    private void create(String namespace, String name) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        resource.setSpec(MinimalSpec.spec("running"));
        client.resource(resource).create();
    }
}
