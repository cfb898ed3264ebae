// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.FLAG;
import static io.sluice.rules.config.option.OptionType.LIST;
import static io.sluice.rules.config.option.OptionType.MAP;
import static io.sluice.rules.config.option.OptionType.MEMORY;
import static io.sluice.rules.config.option.OptionType.NUMBER;
import static io.sluice.rules.config.option.OptionType.TEXT;

import io.sluice.rules.config.value.MemorySize;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where jars of session jobs may come from, and how many of them the operator fetches and keeps.
 */
public final class ArtifactOptions {
    private static final OptionGroup OPTIONS = new OptionGroup();

    public static final Option<String> BASE_DIR =
            OPTIONS.option("user.artifacts.base.dir", TEXT, "/opt/flink/artifacts")
                    .atStart("where jars of session jobs are kept");

    public static final Option<MemorySize> CACHE_SIZE =
            OPTIONS.option("user.artifacts.cache-size", MEMORY, "1 g")
                    .atStart("how much of them, those on their way included");

    public static final Option<Optional<MemorySize>> CACHE_SIZE_PER_NAMESPACE =
            OPTIONS.option("user.artifacts.cache-size-per-namespace", MEMORY)
                    .atStart(
                            "how much of them for the resources of one namespace; half of"
                                    + " cache-size if it is not set");

    public static final Option<Integer> MAX_CONCURRENT =
            OPTIONS.option("user.artifacts.max-concurrent", NUMBER, "8")
                    .atStart("jars and jobs that are handed to session clusters at the same time");

    public static final Option<Integer> MAX_CONCURRENT_PER_NAMESPACE =
            OPTIONS.option("user.artifacts.max-concurrent-per-namespace", NUMBER, "3")
                    .atStart("the same, of the resources of one namespace");

    public static final Option<List<String>> ALLOWED_SCHEMES =
            OPTIONS.option("user.artifacts.allowed-schemes", LIST, "https")
                    .where(schemes -> !schemes.isEmpty())
                    .now("where jars may come from");

    public static final Option<List<String>> ALLOWED_HOSTS =
            OPTIONS.option("user.artifacts.allowed-hosts", LIST, "")
                    .now("hosts that may be fetched from though they are not public");

    public static final Option<Boolean> DISALLOW_RESTRICTED_HOSTS =
            OPTIONS.option("user.artifacts.disallow-restricted-hosts", FLAG, "true")
                    .now("refuse jars from addresses that are not public");

    public static final Option<MemorySize> MAX_SIZE =
            OPTIONS.option("user.artifacts.max-size", MEMORY, "512 m")
                    .now("of one jar");

    public static final Option<Duration> TIMEOUT =
            OPTIONS.option("user.artifacts.timeout", DURATION, "2 min")
                    .now("for one jar");

    public static final Option<Integer> MAX_REDIRECTS =
            OPTIONS.option("user.artifacts.max-redirects", NUMBER, "5")
                    .now("how often the host of a jar may redirect");

    public static final Option<MemorySize> MAX_HEADER_SIZE =
            OPTIONS.option("user.artifacts.max-header-size", MEMORY, "16 kb")
                    .where(size -> size.bytes() > 0)
                    .now("of one line of the head of a response, at most 1 mb");

    public static final Option<Map<String, String>> HTTP_HEADER =
            OPTIONS.option("user.artifacts.http.header", MAP, "")
                    .ofResourcesToo()
                    .now("header:value for a jar's download");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private ArtifactOptions() {}
}
