// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** What processes have taken of the processors, as the kernel says. */
final class Processor {
    private static final long NANOS_PER_TICK = 10_000_000;
    private static final Set<String> API_SERVER = Set.of("kube-apiserver", "etcd");

    private Processor() {}

    /** So far, of all threads, in user and kernel mode. */
    static Duration timeOf(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", "" + pid, "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
            return Duration.ofNanos(ticks * NANOS_PER_TICK);
        } catch (IOException gone) {
            throw new UncheckedIOException("process " + pid + " has ended; see its log", gone);
        }
    }

    /** The same of the API server and its store; of all that run here, as it is one. */
    static Duration timeOfApiServer() {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> API_SERVER.contains(nameOf(pid)))
                .map(Processor::timeOf)
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static String nameOf(long pid) {
        try {
            return Files.readString(Path.of("/proc", "" + pid, "comm")).strip();
        } catch (IOException gone) {
            return "";
        }
    }
}
