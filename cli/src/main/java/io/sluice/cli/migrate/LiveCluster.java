// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.cluster.Unanswered;
import io.sluice.cli.document.Document;
import io.sluice.cli.document.Unreadable;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads a cluster where an operator runs, by lists alone. What it may not read it names. */
final class LiveCluster {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SOURCE = "cluster";
    private static final String GROUP_PATH = "/apis/" + ApiVersion.TEXT;
    private static final String RELEASE = "meta.helm.sh/release-name";
    private static final String PLUGINS = "/opt/flink/plugins";
    private static final int PAGE = 500;

    /** Flink's Deployments, as Flink and the operators label them. */
    private static final String OF_FLINK =
            Product.labels("type in (flink-native-kubernetes,flink-standalone-kubernetes)");

    private final KubernetesClient client;
    private final Product product;
    private final List<String> namespaces;
    private final String operatorNamespace;
    private final Set<MissingRight> missing = new LinkedHashSet<>();

    /**
     * @param product the operator that serves the cluster
     * @param namespaces whose resources are read; all if it is empty
     * @param operatorNamespace where the operator runs; empty if it is looked for in all
     */
    LiveCluster(
            KubernetesClient client,
            Product product,
            List<String> namespaces,
            String operatorNamespace) {
        this.client = client;
        this.product = product;
        this.namespaces = namespaces.isEmpty() ? List.of("") : List.copyOf(namespaces);
        this.operatorNamespace = operatorNamespace;
    }

    /**
     * @throws Unreadable if the API server does not answer, does not know the caller, or has no
     *     FlinkDeployments
     */
    LivePicture read() {
        List<Document> resources = new ArrayList<>();
        Set<String> owners = new HashSet<>();
        for (String namespace : namespaces) {
            for (ResourceKind kind : ResourceKind.values()) {
                resources(kind, namespace).forEach(resources::add);
            }
            owners(namespace).forEach(owners::add);
        }
        return new LivePicture(resources, owners, operators(), List.copyOf(missing));
    }

    private Stream<Document> resources(ResourceKind kind, String namespace) {
        String plural = kind.wire().toLowerCase(Locale.ROOT) + "s";
        Optional<List<ObjectNode>> found = list(GROUP_PATH, plural, namespace, "");
        if (found.isEmpty() && kind == ResourceKind.FLINK_DEPLOYMENT) {
            throw new Unreadable(
                    "the cluster has no "
                            + plural
                            + " of "
                            + ApiVersion.TEXT
                            + "; choose a cluster that has them");
        }
        return found.orElse(List.of()).stream()
                .map(
                        resource -> {
                            // The items of a list name neither their version nor their kind.
                            resource.put("apiVersion", ApiVersion.TEXT).put("kind", kind.wire());
                            if (resource.get("metadata") instanceof ObjectNode metadata) {
                                metadata.remove("managedFields");
                            }
                            return Document.of(SOURCE, resource);
                        });
    }

    private Stream<String> owners(String namespace) {
        return list("/apis/apps/v1", "deployments", namespace, OF_FLINK).orElse(List.of()).stream()
                .flatMap(deployment -> deployment.at("/metadata/ownerReferences").valueStream())
                .map(owner -> owner.path("uid").asText(""));
    }

    private List<Installation> operators() {
        Map<String, ObjectNode> configurations = new LinkedHashMap<>();
        list("/api/v1", "configmaps", operatorNamespace, product.configuration())
                .orElse(List.of())
                .forEach(each -> configurations.put(namespace(each), each));
        Map<String, ObjectNode> deployments = new LinkedHashMap<>();
        list("/apis/apps/v1", "deployments", operatorNamespace, product.deployment())
                .orElse(List.of())
                .forEach(each -> deployments.put(namespace(each), each));
        Set<String> homes = new LinkedHashSet<>(configurations.keySet());
        homes.addAll(deployments.keySet());
        return homes.stream()
                .map(
                        home ->
                                operator(
                                        home,
                                        configurations.getOrDefault(home, JSON.createObjectNode()),
                                        deployments.getOrDefault(home, JSON.createObjectNode())))
                .toList();
    }

    private static Installation operator(
            String home, ObjectNode configuration, ObjectNode deployment) {
        Map<String, String> files = new HashMap<>();
        configuration
                .path("data")
                .propertyStream()
                .forEach(file -> files.put(file.getKey(), file.getValue().asText("")));
        String release =
                Stream.of(deployment, configuration)
                        .map(each -> each.at("/metadata/annotations").path(RELEASE).asText(""))
                        .filter(each -> !each.isEmpty())
                        .findFirst()
                        .orElse("");
        List<JsonNode> containers =
                deployment.at("/spec/template/spec/containers").valueStream().toList();
        return new Installation(
                home,
                release,
                files,
                containers.stream()
                        .flatMap(container -> container.path("volumeMounts").valueStream())
                        .map(mount -> mount.path("mountPath").asText(""))
                        .filter(path -> path.equals(PLUGINS) || path.startsWith(PLUGINS + "/"))
                        .distinct()
                        .toList(),
                containers.stream()
                        .map(container -> container.path("image").asText(""))
                        .distinct()
                        .toList());
    }

    /** Empty if the API server has no such kind; no items if the caller may not list them. */
    private Optional<List<ObjectNode>> list(
            String api, String plural, String namespace, String selector) {
        String path =
                api
                        + (namespace.isEmpty() ? "" : "/namespaces/" + encoded(namespace))
                        + "/"
                        + plural
                        + "?limit="
                        + PAGE
                        + (selector.isEmpty() ? "" : "&" + selector);
        List<ObjectNode> items = new ArrayList<>();
        try {
            String next = "";
            do {
                Optional<String> page = Optional.ofNullable(client.raw(path + next));
                if (page.isEmpty()) {
                    return Optional.empty();
                }
                JsonNode list = JSON.readTree(page.get());
                list.path("items")
                        .valueStream()
                        .forEach(
                                item -> {
                                    if (item instanceof ObjectNode object) {
                                        items.add(object);
                                    }
                                });
                String token = list.at("/metadata/continue").asText("");
                next = token.isEmpty() ? "" : "&continue=" + encoded(token);
            } while (!next.isEmpty());
            return Optional.of(items);
        } catch (KubernetesClientException refused) {
            return switch (refused.getCode()) {
                case HttpURLConnection.HTTP_FORBIDDEN -> {
                    missing.add(new MissingRight("list", resource(api, plural), namespace));
                    yield Optional.of(items);
                }
                case HttpURLConnection.HTTP_NOT_FOUND -> Optional.empty();
                default -> throw new Unreadable(Unanswered.text(client.getMasterUrl(), refused));
            };
        } catch (JsonProcessingException unreadable) {
            throw new Unreadable("the API server answered what is no JSON; look at --kubeconfig");
        }
    }

    private static String resource(String api, String plural) {
        return switch (api) {
            case GROUP_PATH -> plural + "." + ApiVersion.GROUP;
            case "/apis/apps/v1" -> plural + ".apps";
            default -> plural;
        };
    }

    private static String namespace(ObjectNode object) {
        return object.at("/metadata/namespace").asText("");
    }

    /** {@code text} as a part of a path or of a query. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
