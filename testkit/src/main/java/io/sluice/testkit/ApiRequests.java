// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.spec.ResourceKind;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the API server has counted so far ({@code apiserver_request_total}), by verb and resource.
 *
 * @param byKind for instance {@code PUT flinkdeployments/status}
 */
public record ApiRequests(Map<String, Long> byKind) {
    private static final Pattern LINE =
            Pattern.compile("apiserver_request_total\\{([^}]*)\\} (\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** What nobody but us has to do with here. */
    private static final Set<String> OURS =
            Stream.concat(
                            Arrays.stream(ResourceKind.values()).map(ResourceKind::plural),
                            Stream.of(
                                    "deployments",
                                    "services",
                                    "configmaps",
                                    "pods",
                                    "events",
                                    "customresourcedefinitions"))
                    .collect(Collectors.toUnmodifiableSet());

    public ApiRequests {
        byKind = Map.copyOf(byKind);
    }

    public static ApiRequests of(KubernetesClient client) {
        Map<String, Long> found = new TreeMap<>();
        Matcher line = LINE.matcher(client.raw("/metrics"));
        while (line.find()) {
            Map<String, String> labels = new TreeMap<>();
            Matcher label = LABEL.matcher(line.group(1));
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
            String resource = labels.getOrDefault("resource", "");
            String verb = labels.getOrDefault("verb", "");
            if (OURS.contains(resource) && !verb.equals("WATCH") && !isRepair(labels)) {
                String part = labels.getOrDefault("subresource", "");
                String kind = verb + " " + resource + (part.isEmpty() ? "" : "/" + part);
                found.merge(kind, (long) Double.parseDouble(line.group(2)), Long::sum);
            }
        }
        return new ApiRequests(found);
    }

    /** Every few minutes the API server itself looks which addresses all the services have. */
    private static boolean isRepair(Map<String, String> labels) {
        return Objects.equals(labels.get("verb"), "LIST")
                && Objects.equals(labels.get("resource"), "services")
                && Objects.equals(labels.get("scope"), "cluster");
    }

    public ApiRequests since(ApiRequests before) {
        Map<String, Long> more = new TreeMap<>();
        byKind.forEach(
                (kind, count) -> {
                    long difference = count - before.byKind.getOrDefault(kind, 0L);
                    if (difference > 0) {
                        more.put(kind, difference);
                    }
                });
        return new ApiRequests(more);
    }

    /** Without so many of one kind, which were our own. */
    public ApiRequests without(String kind, long count) {
        Map<String, Long> less = new TreeMap<>(byKind);
        less.computeIfPresent(kind, (_, had) -> had > count ? had - count : null);
        return new ApiRequests(less);
    }

    public long sum(Predicate<String> kinds) {
        return byKind.entrySet().stream()
                .filter(each -> kinds.test(each.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    public long all() {
        return sum(_ -> true);
    }

    public long writes() {
        return sum(kind -> !kind.startsWith("GET ") && !kind.startsWith("LIST "));
    }

    public long statusWrites() {
        return statusWrites("flinkdeployments");
    }

    /**
     * @param plural of the kind whose status was written
     */
    public long statusWrites(String plural) {
        return sum(kind -> kind.endsWith(" " + plural + "/status"));
    }

    /** By kind, for so many resources, the most frequent first. */
    public String perResource(int resources) {
        var text = new StringBuilder();
        byKind.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(
                        each ->
                                text.append(
                                        "    %-40s %8.2f%n"
                                                .formatted(
                                                        each.getKey(),
                                                        (double) each.getValue() / resources)));
        return text.toString();
    }
}
