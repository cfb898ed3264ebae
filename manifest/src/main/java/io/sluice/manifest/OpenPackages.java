// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import io.sluice.api.spec.FlinkVersion;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Packages of the JDK that Flink reaches into, and that Java 17 keeps shut unless its command line
 * opens them. Flink's images have the list in a file that the cluster's ConfigMap hides. Of what a
 * user has set nothing is replaced: what is missing goes before it.
 *
 * @see <a
 *     href="https://nightlies.apache.org/flink/flink-docs-stable/docs/deployment/java_compatibility/">Flink's
 *     list</a>
 */
final class OpenPackages {
    private static final String ANYBODY = "=ALL-UNNAMED";

    private static final List<String> EXPORTED =
            List.of(
                    "java.base/sun.net.util",
                    "java.rmi/sun.rmi.registry",
                    "java.security.jgss/sun.security.krb5",
                    "jdk.compiler/com.sun.tools.javac.api",
                    "jdk.compiler/com.sun.tools.javac.file",
                    "jdk.compiler/com.sun.tools.javac.parser",
                    "jdk.compiler/com.sun.tools.javac.tree",
                    "jdk.compiler/com.sun.tools.javac.util");

    private static final List<String> OPENED =
            List.of(
                    "java.base/java.io",
                    "java.base/java.lang",
                    "java.base/java.lang.reflect",
                    "java.base/java.net",
                    "java.base/java.nio",
                    "java.base/java.text",
                    "java.base/java.time",
                    "java.base/java.util",
                    "java.base/java.util.concurrent",
                    "java.base/java.util.concurrent.atomic",
                    "java.base/java.util.concurrent.locks",
                    "java.base/sun.nio.ch");

    private OpenPackages() {}

    /** A version of Flink that does not know Java 17 needs nothing. */
    static void put(Optional<FlinkVersion> version, Map<String, String> options) {
        version.filter(it -> it.isAtLeast(FlinkVersion.V1_18))
                .map(OpenPackages::key)
                .ifPresent(key -> options.put(key, completed(options.getOrDefault(key, ""))));
    }

    /** Since 1.19 there is an option for what goes before the user's own. */
    private static String key(FlinkVersion version) {
        return version.isAtLeast(FlinkVersion.V1_19)
                ? "env.java.default-opts.all"
                : "env.java.opts.all";
    }

    private static String completed(String theirs) {
        Set<String> there =
                Collections.unmodifiableSet(
                        new LinkedHashSet<>(List.of(theirs.strip().split("\\s+"))));
        return Stream.of(
                        EXPORTED.stream().map(name -> "--add-exports=" + name + ANYBODY),
                        OPENED.stream().map(name -> "--add-opens=" + name + ANYBODY))
                .flatMap(flags -> flags)
                .filter(flag -> !there.contains(flag))
                .collect(Collectors.joining(" ", "", " " + theirs))
                .strip();
    }
}
