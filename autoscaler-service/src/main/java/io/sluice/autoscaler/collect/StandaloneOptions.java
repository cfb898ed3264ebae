// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.spec.FlinkConfiguration;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.flink.util.TimeUtils;

/**
 * Options below {@code autoscaler.standalone.}, for jobs of Flink clusters that no operator looks
 * after.
 *
 * @param clusters roots of their REST APIs, by the name people know them by
 * @param base what every job starts from; its JobManager's configuration goes before it
 * @param interval how often each job is looked at
 * @param atOnce how many are looked at at the same time
 */
public record StandaloneOptions(
        SortedMap<String, URI> clusters, FlinkConfiguration base, Duration interval, int atOnce) {
    private static final String PREFIX = "autoscaler.standalone.";
    private static final String CLUSTERS = PREFIX + "fetcher.flink-clusters";
    private static final String HOST = PREFIX + "fetcher.flink-cluster.host";
    private static final String PORT = PREFIX + "fetcher.flink-cluster.port";
    private static final String INTERVAL = PREFIX + "control-loop.interval";
    private static final String AT_ONCE = PREFIX + "control-loop.parallelism";
    private static final List<String> STORES =
            List.of(PREFIX + "state-store.type", PREFIX + "event-handler.type");
    private static final List<String> OF_STORES =
            List.of(
                    PREFIX + "jdbc.url",
                    PREFIX + "jdbc.username",
                    PREFIX + "jdbc.password-env-variable",
                    PREFIX + "jdbc.event-handler.ttl");
    private static final List<String> KNOWN = List.of(CLUSTERS, HOST, PORT, INTERVAL, AT_ONCE);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-_.A-Za-z0-9]{0,61})");
    private static final Pattern LIST = Pattern.compile("[,;]");

    public StandaloneOptions {
        clusters = Collections.unmodifiableSortedMap(new TreeMap<>(clusters));
    }

    /** Throws {@link IllegalArgumentException} that names the key, its value and a remedy. */
    public static StandaloneOptions of(FlinkConfiguration options) {
        refuseUnknown(options);
        refuseDatabases(options);
        return new StandaloneOptions(
                clusters(options),
                options,
                parsed(options, INTERVAL, "scalingInterval", StandaloneOptions::interval)
                        .orElse(Duration.ofSeconds(10)),
                parsed(options, AT_ONCE, AT_ONCE, text -> whole(text, 1, 10_000)).orElse(100));
    }

    private static void refuseUnknown(FlinkConfiguration options) {
        options.entries().keySet().stream()
                .filter(key -> key.startsWith(PREFIX))
                .filter(key -> !KNOWN.contains(key) && !STORES.contains(key))
                .filter(key -> !OF_STORES.contains(key))
                .sorted()
                .findFirst()
                .ifPresent(
                        key -> {
                            throw new IllegalArgumentException(
                                    key
                                            + " is not an option; remove it. There are "
                                            + KNOWN
                                            + " and "
                                            + STORES);
                        });
    }

    private static void refuseDatabases(FlinkConfiguration options) {
        for (String store : STORES) {
            options.get(store)
                    .map(String::strip)
                    .filter(type -> !inMemory(store).equalsIgnoreCase(type))
                    .ifPresent(
                            type -> {
                                throw new IllegalArgumentException(
                                        store
                                                + "='"
                                                + type
                                                + "': set it to "
                                                + inMemory(store)
                                                + " or remove it, there is no other. What is known"
                                                + " of a job is collected anew after a restart");
                            });
        }
    }

    private static String inMemory(String store) {
        return store.contains("event") ? "LOGGING" : "MEMORY";
    }

    private static SortedMap<String, URI> clusters(FlinkConfiguration options) {
        SortedMap<String, URI> clusters = new TreeMap<>();
        Optional<String> list = options.get(CLUSTERS).map(String::strip).filter(s -> !s.isEmpty());
        if (list.isEmpty()) {
            String host =
                    options.get(HOST)
                            .or(() -> options.get("flinkClusterHost"))
                            .map(String::strip)
                            .orElse("localhost");
            int port =
                    parsed(options, PORT, "flinkClusterPort", text -> whole(text, 1, 65_535))
                            .orElse(8081);
            clusters.put(host + "-" + port, address(HOST, "http://" + host + ":" + port));
            return clusters;
        }
        for (String entry : LIST.splitAsStream(list.get().strip()).map(String::strip).toList()) {
            int sign = entry.indexOf('=');
            String name = sign < 0 ? "" : entry.substring(0, sign).strip();
            if (!NAME.matcher(name).matches() || clusters.containsKey(name)) {
                throw new IllegalArgumentException(
                        CLUSTERS
                                + "='"
                                + starred(entry)
                                + "': write NAME=http://HOST:PORT, each name once,"
                                + " of letters, digits, '-', '_' and '.'");
            }
            clusters.put(name, address(CLUSTERS, entry.substring(sign + 1).strip()));
        }
        return clusters;
    }

    private static URI address(String key, String text) {
        String wrong = key + "='" + starred(text) + "': write http://HOST:PORT";
        try {
            URI uri = URI.create(text.replaceAll("/$", ""));
            boolean plain = uri.getUserInfo() == null && uri.getQuery() == null;
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (!http || !plain || uri.getHost() == null) {
                throw new IllegalArgumentException(wrong);
            }
            return uri;
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(wrong, unreadable);
        }
    }

    /** Without the password that an address may hold. */
    private static String starred(String text) {
        return text.replaceAll("//[^/]*@", "//******@");
    }

    private static Duration interval(String text) {
        Duration interval = TimeUtils.parseDuration(text);
        if (!interval.isPositive()) {
            throw new IllegalArgumentException("must be above 0, for example 10 s");
        }
        return interval;
    }

    private static int whole(String text, int least, int most) {
        int number = Integer.parseInt(text);
        if (number < least || number > most) {
            throw new IllegalArgumentException("must be " + least + " to " + most);
        }
        return number;
    }

    private static <T> Optional<T> parsed(
            FlinkConfiguration options, String key, String older, Function<String, T> parse) {
        Optional<String> text = options.get(key).or(() -> options.get(older)).map(String::strip);
        try {
            return text.map(parse);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    key + "='" + text.orElse("") + "' is wrong: " + wrong.getMessage(), wrong);
        }
    }
}
