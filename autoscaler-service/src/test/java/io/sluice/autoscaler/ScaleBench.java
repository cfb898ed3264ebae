// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.autoscaler.flink.ManyJobManagers;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * One replica on one core with a thousand jobs, then with two hundred of them that never answer.
 * Run by {@code make bench-autoscaler-scale}; not part of the tests.
 */
class ScaleBench {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final int JOBS = Integer.getInteger("scale.jobs", 1000);
    private static final int SILENT = JOBS / 5;

    /** By then the metrics window of each job is full. */
    private static final Duration FILLED =
            Duration.ofMinutes(Integer.getInteger("scale.minutes", 20));

    /** By then circuits are open. */
    private static final Duration SETTLED = Duration.ofSeconds(45);

    private static final Duration MEASURED = Duration.ofSeconds(90);
    private static final double TICKS = 100;

    private static final double LONGEST_SECONDS = 18;
    private static final double TAKEN_OVER_SECONDS = 20;

    /** Of resident memory. */
    private static final long LIMIT_MEBIBYTES = 400;

    @TempDir Path folder;

    /**
     * What was seen in one measurement.
     *
     * @param gaps seconds between the looks at a job that answers, sorted
     * @param cores of the one there is
     * @param peak most memory so far, in MiB
     */
    private record Result(String what, int jobs, List<Double> gaps, double cores, long peak) {
        double at(double share) {
            return gaps.isEmpty()
                    ? Double.NaN
                    : gaps.get((int) Math.min(gaps.size() - 1, share * gaps.size()));
        }

        String row() {
            return "%-40s %6d jobs  between looks, s: median %5.1f  p99 %5.1f  most %5.1f  cores %.2f  memory %d MiB"
                    .formatted(what, jobs, at(0.5), at(0.99), at(1), cores, peak);
        }
    }

    @Test
    void servesAThousandJobsFromOneCore() throws Exception {
        String namespace = API.newNamespace();
        try (ManyJobManagers flink = new ManyJobManagers()) {
            IntStream.range(0, JOBS).parallel().forEach(i -> create(namespace, "job-" + i));
            Process service = start(namespace, flink.port(), "a");
            Process other = service;
            try {
                await().atMost(Duration.ofMinutes(5)).until(() -> flink.asked().size() == JOBS);
                rest(FILLED);
                Result all = measure("all answer", service, flink);
                report(all.row());
                flink.silence(name -> number(name) < SILENT);
                rest(SETTLED);
                Result some = measure(SILENT + " never answer", service, flink);
                report(all.row(), some.row());
                flink.silence(_ -> false);
                other = start(namespace, flink.port(), "b");
                TakeOver taken = kill(service, other, namespace, flink);
                report(all.row(), some.row(), taken.row());

                assertThat(all.peak()).isLessThan(LIMIT_MEBIBYTES);
                assertThat(some.peak()).isLessThan(LIMIT_MEBIBYTES);
                assertThat(all.jobs()).isEqualTo(JOBS);
                assertThat(some.jobs()).isEqualTo(JOBS - SILENT);
                assertThat(all.at(0.99)).isLessThan(LONGEST_SECONDS);
                assertThat(some.at(0.99)).isLessThan(1.2 * all.at(0.99));
                assertThat(taken.all()).isLessThan(TAKEN_OVER_SECONDS);
                assertThat(taken.twice()).isEmpty();
            } finally {
                service.destroyForcibly().waitFor();
                other.destroyForcibly().waitFor();
            }
        }
    }

    /**
     * What another replica did when one was killed while jobs had to be rescaled.
     *
     * @param all seconds until it had looked at every job
     * @param rescaled jobs that were rescaled, by the one replica or the other
     * @param twice those that were rescaled more than once
     */
    private record TakeOver(double all, int rescaled, List<String> twice) {
        String row() {
            return "%-40s %6d jobs rescaled, %d of them twice; after %.1f s the other had looked at all"
                    .formatted("one of two replicas is killed", rescaled, twice.size(), all);
        }
    }

    private static TakeOver kill(
            Process victim, Process other, String namespace, ManyJobManagers flink)
            throws Exception {
        await().atMost(Duration.ofMinutes(2)).until(() -> leases(namespace) == 2);
        rest(SETTLED);
        flink.doubleLoad(name -> number(name) % 10 == 0);
        await().atMost(Duration.ofMinutes(15))
                .until(() -> rescales(namespace).values().stream().anyMatch(count -> count > 0));
        victim.destroyForcibly().waitFor();
        long killed = System.nanoTime();
        flink.forget();
        await().pollInterval(Duration.ofMillis(100))
                .atMost(Duration.ofMinutes(2))
                .until(() -> flink.asked().size() == JOBS);
        double all = (System.nanoTime() - killed) / 1e9;
        rest(Duration.ofMinutes(2));
        assertThat(other.isAlive()).isTrue();
        Map<String, Integer> rescales = rescales(namespace);
        return new TakeOver(
                all,
                (int) rescales.values().stream().filter(count -> count > 0).count(),
                rescales.entrySet().stream()
                        .filter(job -> job.getValue() > 1)
                        .map(Map.Entry::getKey)
                        .toList());
    }

    private static int leases(String namespace) {
        return API.client().leases().inNamespace(namespace).list().getItems().size();
    }

    /** How often each job was rescaled, by what its ConfigMap says. */
    private static Map<String, Integer> rescales(String namespace) {
        return API.client().configMaps().inNamespace(namespace).list().getItems().stream()
                .filter(each -> each.getMetadata().getName().startsWith("autoscaler-"))
                .collect(
                        Collectors.toMap(
                                each -> each.getMetadata().getName(),
                                each ->
                                        (int)
                                                Stream.of(
                                                                each.getData()
                                                                        .getOrDefault(
                                                                                "governorRescales",
                                                                                "")
                                                                        .split(","))
                                                        .filter(entry -> !entry.isBlank())
                                                        .count()));
    }

    private static Result measure(String what, Process service, ManyJobManagers flink)
            throws IOException {
        flink.forget();
        long before = cpuTicks(service);
        rest(MEASURED);
        double cores = (cpuTicks(service) - before) / TICKS / MEASURED.toSeconds();
        List<Double> gaps = new ArrayList<>();
        flink.asked().values().forEach(times -> gaps.addAll(gaps(times)));
        gaps.sort(Double::compare);
        return new Result(what, flink.asked().size(), gaps, cores, peak(service));
    }

    /** The service and the engine ask for the job one right after the other: one look. */
    private static List<Double> gaps(List<Long> times) {
        List<Double> gaps = new ArrayList<>();
        List<Long> sorted = times.stream().sorted().toList();
        long last = sorted.getFirst();
        for (long time : sorted) {
            if (time - last > TimeUnit.SECONDS.toNanos(7)) {
                gaps.add((time - last) / 1e9);
                last = time;
            }
        }
        return gaps;
    }

    /** The first replica has one core, and the second the other one. */
    private Process start(String namespace, int port, String replica) throws IOException {
        Path kubeconfig = folder.resolve("kubeconfig-" + replica);
        Files.writeString(kubeconfig, API.kubeconfig());
        List<String> command =
                new ArrayList<>(List.of("taskset", "-c", replica.equals("a") ? "0" : "1"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Files.readAllLines(Path.of(System.getProperty("scale.flags", ""))));
        command.add("-cp");
        command.add(
                System.getProperty(
                        "surefire.real.class.path", System.getProperty("java.class.path")));
        command.add(Main.class.getName());
        ProcessBuilder builder = new ProcessBuilder(command);
        var environment = builder.environment();
        environment.put("MALLOC_ARENA_MAX", "1");
        environment.put("KUBECONFIG", kubeconfig.toString());
        environment.put("SLUICE_WATCH_NAMESPACES", namespace);
        environment.put("SLUICE_NAMESPACE", namespace);
        environment.put("POD_NAME", "autoscaler-" + replica);
        environment.put("SLUICE_RESCALES_AT_ONCE", Integer.toString(2 * JOBS));
        environment.put("SLUICE_HTTP_PORT", "0");
        environment.put("SLUICE_JOBMANAGER_ADDRESS", "http://127.0.0.1:" + port + "/{name}");
        Files.createDirectories(output());
        builder.redirectErrorStream(true);
        builder.redirectOutput(output().resolve("autoscaler-scale-" + replica + ".log").toFile());
        return builder.start();
    }

    private static void report(String... rows) throws IOException {
        String text = String.join("\n", rows) + "\n";
        Files.writeString(output().resolve("autoscaler-scale.txt"), text);
        System.out.print(text);
    }

    private static Path output() {
        return Path.of(System.getProperty("scale.output", "target/bench"));
    }

    /** User and system time, in hundredths of a second. */
    private static long cpuTicks(Process process) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    private static long peak(Process process) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElse(0);
    }

    private static void rest(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        await().atMost(time.plusSeconds(10)).until(() -> System.nanoTime() >= end);
    }

    private static int number(String name) {
        return Integer.parseInt(name.substring("job-".length()));
    }

    private static void create(String namespace, String name) {
        var spec = ScaledJob.spec(Map.of("job.autoscaler.enabled", "true"));
        ScaledJob.create(API, namespace, name, spec, "STABLE");
    }
}
