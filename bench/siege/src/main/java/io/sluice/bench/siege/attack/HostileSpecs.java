// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.attack;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.bench.siege.installation.Manifests;
import io.sluice.bench.siege.installation.Namespaces;
import io.sluice.bench.siege.installation.Victims;
import io.sluice.testkit.Waits;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Resources of a tenant who wants to stop or mislead what reads them. */
final class HostileSpecs implements Attack {
    /** So many of them are there at once. */
    private static final int KEPT = 30;

    private static final int PAUSE_MILLIS = 1000;
    private static final int LARGE = 700_000;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> NEAR_MISSES =
            List.of(
                    "&a [*a, *a, *a]",
                    "!!javax.script.ScriptEngineManager [!!java.net.URLClassLoader []]",
                    "\t- :\t? [",
                    "1e999",
                    "-.inf",
                    "{{{{{{{{[[[[[[[[",
                    "|2\n  - \u2028 \u0085 \ufeff",
                    "? ? ? ? ?",
                    "'\"'\"'\"",
                    "%YAML 9.9\n---\n...",
                    "\ud83d\udca5".repeat(2000));

    private final KubernetesClient client;
    private final Counters counters;
    private final Map<String, Consumer<ObjectNode>> kinds =
            Map.of(
                    "secrets that backtrack",
                    spec -> {
                        var job = spec.withObject("/job");
                        job.putArray("args")
                                .add("secret" + "_a".repeat(26))
                                .add("--password=" + "-secret_token".repeat(500))
                                .add("secret" + "_a".repeat(50_000))
                                .add("://" + "a:".repeat(20_000) + "@");
                    },
                    "deep pod template",
                    spec -> {
                        ObjectNode inner = spec.withObject("/podTemplate").withObject("/spec");
                        for (int i = 0; i < 400; i++) {
                            inner = inner.putObject("a");
                        }
                    },
                    "wide pod template",
                    spec -> {
                        var containers =
                                spec.withObject("/podTemplate")
                                        .withObject("/spec")
                                        .putArray("containers");
                        for (int i = 0; i < 2000; i++) {
                            var container = containers.addObject().put("name", "c" + i);
                            container
                                    .putArray("env")
                                    .addObject()
                                    .put("name", "A")
                                    .put("value", "b");
                        }
                    },
                    "the largest pod template that is admitted",
                    spec -> {
                        var containers =
                                spec.withObject("/podTemplate")
                                        .withObject("/spec")
                                        .putArray("containers");
                        for (int i = 0; i < 100; i++) {
                            var container = containers.addObject();
                            container.put("name", "c" + i).put("image", "c");
                            // Which the API server refuses, and no rule of the webhook does.
                            container.putArray("ports").addObject().put("containerPort", 99_999);
                            var environment = container.putArray("env");
                            for (int j = 0; j < 3; j++) {
                                environment.addObject().put("name", "N" + j).put("value", "b");
                            }
                        }
                    },
                    "many options",
                    spec -> {
                        ObjectNode options = spec.withObject("/flinkConfiguration");
                        for (int i = 0; i < 15_000; i++) {
                            options.put("some.option.of-" + i, "value-" + i);
                        }
                    },
                    "options of one hash",
                    spec -> {
                        ObjectNode options = spec.withObject("/flinkConfiguration");
                        for (int i = 0; i < 8192; i++) {
                            options.put(ofOneHash(i), "b");
                        }
                    },
                    "the most options that are admitted",
                    spec -> {
                        ObjectNode options = spec.withObject("/flinkConfiguration");
                        for (int i = 0; i < 1400; i++) {
                            options.put(ofOneHash(i) + ".which-nobody-knows", "b".repeat(50));
                        }
                    },
                    "a long option",
                    spec ->
                            spec.withObject("/flinkConfiguration")
                                    .put("some.secret.key", "secret_".repeat(LARGE / 7))
                                    .put(
                                            "pipeline.jobvertex-parallelism-overrides",
                                            "a:1,".repeat(LARGE / 8)),
                    "near misses of YAML",
                    spec -> {
                        ObjectNode options = spec.withObject("/flinkConfiguration");
                        for (int i = 0; i < NEAR_MISSES.size(); i++) {
                            options.put("taskmanager.some." + i, NEAR_MISSES.get(i));
                            options.put("env.java.opts." + i, NEAR_MISSES.get(i).repeat(100));
                        }
                        options.put("taskmanager.numberOfTaskSlots", NEAR_MISSES.getFirst());
                        options.put("taskmanager.memory.process.size", "9".repeat(5000) + "g");
                    },
                    "names of others' Services",
                    _ -> {});

    HostileSpecs(KubernetesClient client, Counters counters) {
        this.client = client;
        this.counters = counters;
    }

    /** {@code Aa} and {@code BB} have the same hash, and so has whatever is made of the two. */
    private static String ofOneHash(int number) {
        var text = new StringBuilder();
        for (int bit = 0; bit < 13; bit++) {
            text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }

    @Override
    public long pauseMillis() {
        return PAUSE_MILLIS;
    }

    @Override
    public void turn(long number) {
        List<String> names = kinds.keySet().stream().sorted().toList();
        String kind = names.get((int) (number % names.size()));
        boolean isVictim = kind.startsWith("names of others");
        String name = isVictim ? Victims.NAME : "spec-" + number;
        send(kind, name);
        if (number >= KEPT) {
            delete("spec-" + (number - KEPT));
        }
    }

    private void send(String kind, String name) {
        GenericKubernetesResource resource = Manifests.application(Namespaces.HOSTILE, name);
        ObjectNode spec = JSON.valueToTree(resource.getAdditionalProperties().get("spec"));
        Objects.requireNonNull(kinds.get(kind), kind).accept(spec);
        resource.setAdditionalProperty("spec", spec);
        long begin = System.nanoTime();
        String answer = "admitted";
        try {
            client.resource(resource).create();
        } catch (KubernetesClientException refused) {
            answer = "status " + refused.getCode();
        }
        counters.add("specs, " + kind + ": " + answer, Waits.since(begin).toMillis());
    }

    private void delete(String name) {
        client.genericKubernetesResources("flink.apache.org/v1beta1", "FlinkDeployment")
                .inNamespace(Namespaces.HOSTILE)
                .withName(name)
                .delete();
    }
}
