// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.installation;

import io.sluice.testkit.ProcessStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How much processor time this process and those that it started have used until one moment.
 *
 * @param millis when that was, in milliseconds since 1970
 * @param used by what a process is called; processes of one name are added up
 */
public record ProcessorTime(long millis, Map<String, Duration> used) {
    /**
     * Reads it from the kernel.
     *
     * @param names what processes are called; one that has no name here goes by that of its
     *     executable
     */
    public static ProcessorTime now(Map<Long, String> names) {
        Map<String, Duration> used = new TreeMap<>();
        Stream.concat(Stream.of(ProcessHandle.current()), ProcessHandle.current().descendants())
                .forEach(
                        each ->
                                used.merge(
                                        names.getOrDefault(
                                                each.pid(),
                                                new ProcessStatus(each.pid())
                                                        .name()
                                                        .orElse("others")),
                                        each.info().totalCpuDuration().orElse(Duration.ZERO),
                                        Duration::plus));
        return new ProcessorTime(InstantSource.system().millis(), used);
    }

    /** How many cores each took on average from {@code before} until now. */
    public SequencedMap<String, Double> coresSince(ProcessorTime before) {
        SequencedMap<String, Double> cores = new TreeMap<>();
        used.forEach(
                (name, time) -> {
                    Duration more = time.minus(before.used.getOrDefault(name, Duration.ZERO));
                    cores.put(name, (double) more.toMillis() / (millis - before.millis));
                });
        return cores;
    }
}
