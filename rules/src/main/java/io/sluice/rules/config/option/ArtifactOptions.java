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
                    .atStart("The folder for the jars of session jobs.");

    public static final Option<MemorySize> CACHE_SIZE =
            OPTIONS.option("user.artifacts.cache-size", MEMORY, "1 g")
                    .addedBySluice()
                    .atStart(
                            "How much of that folder jars may use, including those that are being"
                                    + " downloaded.");

    public static final Option<Optional<MemorySize>> CACHE_SIZE_PER_NAMESPACE =
            OPTIONS.option("user.artifacts.cache-size-per-namespace", MEMORY)
                    .addedBySluice()
                    .atStart(
                            "How much of it the jars of one namespace may use. The default is half"
                                    + " of cache-size.");

    public static final Option<Integer> MAX_CONCURRENT =
            OPTIONS.option("user.artifacts.max-concurrent", NUMBER, "8")
                    .addedBySluice()
                    .atStart(
                            "How many jars and jobs are submitted to session clusters at the same"
                                    + " time.");

    public static final Option<Integer> MAX_CONCURRENT_PER_NAMESPACE =
            OPTIONS.option("user.artifacts.max-concurrent-per-namespace", NUMBER, "3")
                    .addedBySluice()
                    .atStart("How many of these may belong to one namespace.");

    public static final Option<List<String>> ALLOWED_SCHEMES =
            OPTIONS.option("user.artifacts.allowed-schemes", LIST, "https")
                    .where(schemes -> !schemes.isEmpty())
                    .now("Schemes of the addresses of jars.");

    public static final Option<List<String>> ALLOWED_HOSTS =
            OPTIONS.option("user.artifacts.allowed-hosts", LIST, "")
                    .addedBySluice()
                    .now(
                            "If it lists hosts, jars are fetched from no other: names, *. in front"
                                    + " of one for all hosts below it, and * for every public"
                                    + " host. A host that is listed by its name or below *. may"
                                    + " have a private address, for example one of the cluster, but"
                                    + " no loopback or link-local one. If it is empty, every public"
                                    + " host is allowed and no other.");

    public static final Option<Boolean> DISALLOW_RESTRICTED_HOSTS =
            OPTIONS.option("user.artifacts.disallow-restricted-hosts", FLAG, "true")
                    .now(
                            "Whether jars from addresses that are not public are refused, unless"
                                    + " allowed-hosts lists their host. With false every address"
                                    + " is allowed, also those of services that hand out"
                                    + " credentials.");

    public static final Option<MemorySize> MAX_SIZE =
            OPTIONS.option("user.artifacts.max-size", MEMORY, "512 m")
                    .addedBySluice()
                    .now("The largest size of a jar.");

    public static final Option<Duration> TIMEOUT =
            OPTIONS.option("user.artifacts.timeout", DURATION, "2 min")
                    .addedBySluice()
                    .now("How long the download of a jar may take.");

    public static final Option<Integer> MAX_REDIRECTS =
            OPTIONS.option("user.artifacts.max-redirects", NUMBER, "5")
                    .addedBySluice()
                    .now("How often the host of a jar may redirect.");

    public static final Option<MemorySize> MAX_HEADER_SIZE =
            OPTIONS.option("user.artifacts.max-header-size", MEMORY, "16 kb")
                    .where(size -> size.bytes() > 0)
                    .addedBySluice()
                    .now("The largest size of a header line of a response, at most 1 mb.");

    public static final Option<Optional<String>> FILE_SYSTEMS =
            OPTIONS.option("user.artifacts.file-systems", TEXT)
                    .where(address -> address.stream().allMatch(it -> it.startsWith("http://")))
                    .addedBySluice()
                    .now(
                            "Where the operator asks for jars that Flink's file systems read, such"
                                    + " as s3, gs, abfs, hdfs and oss: the address of a server in"
                                    + " its own pod. The chart sets it with"
                                    + " jarFileSystems.image. The scheme has to be listed in"
                                    + " allowed-schemes, and the bucket or host by its name in"
                                    + " allowed-hosts, because the jar is read with an identity of"
                                    + " the platform.");

    public static final Option<Map<String, String>> HTTP_HEADER =
            OPTIONS.option("user.artifacts.http.header", MAP, "")
                    .ofResourcesToo()
                    .now("HTTP headers for the download of a jar, as header:value.");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private ArtifactOptions() {}
}
