// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Tells in the file {@code -Dsim.told=<file>} what came of each seed, a line a seed: the seed, a
 * checksum of all that happened, and what was found. Who looks for mutants compares them.
 */
final class ToldRuns {
    private ToldRuns() {}

    static synchronized void tell(Environment environment, Optional<Simulation.Finding> found) {
        String file = System.getProperty("sim.told", "");
        if (file.isEmpty()) {
            return;
        }
        String line =
                "%d %x %s%n"
                        .formatted(
                                environment.seed(),
                                environment.trace().digest(),
                                found.map(it -> it.problem().replaceAll("\\s+", " ")).orElse(""));
        try {
            Files.writeString(
                    Path.of(file), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
