// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.sim.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What production's code decides in a simulated world, compared with what it decided when the file
 * in {@code src/test/resources/decisions} was recorded: each status, event and request of each seed
 * counts, and whatever else happens in the world. A change that is meant to change no behaviour
 * leaves the files as they are; any other change records them anew with {@code make
 * record-decisions}.
 *
 * @param world the name of its file, without what it ends with
 */
public record RecordedDecisions(String world, Simulation simulation) {
    private static final Path FILES = Path.of("src/test/resources/decisions");
    private static final int SEEDS = 40;
    private static final int BLOCK = 5;

    /** How many seeds are compared; all of them with {@code make compare-decisions}. */
    private static final int COMPARED = Integer.getInteger("sim.compared", 20);

    private static final boolean RECORD = Boolean.getBoolean("sim.record");

    /**
     * Fails if a seed is not what it was; records all of them first with {@code -Dsim.record=true}.
     *
     * @throws IOException if the file can't be read or written
     */
    public void compare() throws IOException {
        Path file = FILES.resolve(world + ".txt");
        if (RECORD) {
            Files.createDirectories(FILES);
            Files.write(file, blocks(SEEDS));
        }

        assertThat(blocks(COMPARED))
                .isEqualTo(Files.readAllLines(file).subList(0, COMPARED / BLOCK));
    }

    private List<String> blocks(int seeds) {
        return LongStream.iterate(0, first -> first < seeds, first -> first + BLOCK)
                .mapToObj(first -> first + " " + simulation.digest(first, first + BLOCK))
                .toList();
    }
}
