// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.attack;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.ApiVersion;
import io.sluice.bench.siege.installation.Addresses;
import io.sluice.bench.siege.installation.Namespaces;
import io.sluice.bench.siege.ordinary.OrdinaryJob;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** ConfigMaps of the autoscaler that are small, and large once they are unpacked. */
final class ConfigMapBombs implements Attack {
    private static final long PAUSE_MILLIS = 5000;
    private static final int MEBIBYTES = 256;
    private static final List<String> PACKED =
            List.of("collectedMetrics", "scalingHistory", "scalingTracking");

    private final KubernetesClient client;
    private final Counters counters;
    private final String zeros;
    private final String json;

    ConfigMapBombs(KubernetesClient client, Counters counters) throws IOException {
        this.client = client;
        this.counters = counters;
        zeros = packed(new byte[1024 * 1024]);
        json =
                packed(
                        "{\"2026-01-01T00:00:00Z\":{"
                                .repeat(40_000)
                                .getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    @Override
    public long pauseMillis() {
        return PAUSE_MILLIS;
    }

    @Override
    public void turn(long number) {
        String name = Addresses.hostile((int) (number % HostileJobManagers.many()));
        FlinkDeployment owner =
                client.resources(FlinkDeployment.class)
                        .inNamespace(Namespaces.HOSTILE)
                        .withName(name)
                        .get();
        if (owner == null) {
            return;
        }
        String bomb = number % 2 == 0 ? zeros : json;
        Map<String, String> data =
                Map.of(
                        PACKED.get((int) (number % PACKED.size())),
                        bomb,
                        "parallelismOverrides",
                        "a:1,".repeat(50_000) + OrdinaryJob.VERTICES.getFirst() + ":99999",
                        "configOverrides",
                        number % 3 == 0
                                ? "{".repeat(50_000)
                                : "a: &a [x,x]\n"
                                        + "b: &b [*a,*a,*a,*a]\n".repeat(1000)
                                        + "overrides: {taskmanager.memory.process.size: *b}");
        client.resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withNamespace(Namespaces.HOSTILE)
                                .withName("autoscaler-" + name)
                                .addToLabels("component", "autoscaler")
                                .addToLabels("app", name)
                                .addNewOwnerReference()
                                .withApiVersion(ApiVersion.TEXT)
                                .withKind("FlinkDeployment")
                                .withName(name)
                                .withUid(owner.getMetadata().getUid())
                                .endOwnerReference()
                                .endMetadata()
                                .withData(data)
                                .build())
                .fieldManager("bomber")
                .forceConflicts()
                .serverSideApply();
        counters.add("bombs in ConfigMaps autoscaler-*");
    }

    private static String packed(byte[] mebibyte) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            for (int i = 0; i < MEBIBYTES; i++) {
                gzip.write(mebibyte);
            }
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }
}
