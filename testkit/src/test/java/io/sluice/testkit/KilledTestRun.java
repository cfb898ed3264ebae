// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * A test run of its own, for a test that kills it. It writes the pids of what it started to a file.
 */
final class KilledTestRun {
    private KilledTestRun() {}

    static void main(String[] file) throws IOException {
        try (RunningApiServer _ = RunningApiServer.start()) {
            Files.writeString(
                    Path.of(file[0]),
                    ApiServerProcesses.pids().collect(Collectors.joining(" ", "", " .")));
            var _ = System.in.read();
        }
    }
}
