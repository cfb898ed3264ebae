// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/**
 * Writes the number of each record that comes by into a file, with the milliseconds since the epoch
 * behind it, a line each. A line is written at once and not with a checkpoint, so that the files of
 * a folder tell which records were processed, by which pod and when, whatever became of the jobs.
 * Each start of a subtask has a file of its own, named after its pod.
 */
@SuppressWarnings("NullAway.Init") // Flink opens the function before the first record
final class Ledger extends RichMapFunction<Event, Event> {

    private final String folder;
    private transient InstantSource clock;
    private transient OutputStream file;

    Ledger(String folder) {
        this.folder = folder;
    }

    @Override
    public void open(OpenContext context) throws IOException {
        clock = InstantSource.system();
        Path parent = Files.createDirectories(Path.of(folder));
        String name =
                String.join(
                        ".",
                        InetAddress.getLocalHost().getHostName(),
                        Long.toString(clock.millis()),
                        Integer.toString(
                                getRuntimeContext().getTaskInfo().getIndexOfThisSubtask()));
        file = Files.newOutputStream(parent.resolve(name), StandardOpenOption.CREATE_NEW);
    }

    @Override
    public Event map(Event event) throws IOException {
        String line = event.number() + " " + clock.millis() + "\n";
        file.write(line.getBytes(StandardCharsets.US_ASCII));
        return event;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
