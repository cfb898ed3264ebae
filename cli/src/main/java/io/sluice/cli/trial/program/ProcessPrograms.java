// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** {@link Programs} as processes, which end with this one. */
public final class ProcessPrograms implements Programs {
    private final Set<Process> running = ConcurrentHashMap.newKeySet();

    private ProcessPrograms() {}

    /** Also ends what runs when this process is interrupted. */
    public static ProcessPrograms endingWithThisProcess() {
        var programs = new ProcessPrograms();
        Runtime.getRuntime().addShutdownHook(new Thread(programs::endAll));
        return programs;
    }

    @Override
    public Outcome run(Call call) {
        try {
            Process process = new ProcessBuilder(call.command()).start();
            running.add(process);
            try {
                return outcome(process, call);
            } finally {
                end(process);
                running.remove(process);
            }
        } catch (IOException notThere) {
            return new Outcome.NotStarted(
                    "'"
                            + call.command().getFirst()
                            + "' cannot be started: "
                            + notThere.getMessage());
        }
    }

    private static Outcome outcome(Process process, Call call) {
        FutureTask<String> out = inBackground(process.getInputStream());
        FutureTask<String> err = inBackground(process.getErrorStream());
        Thread.ofVirtual().start(() -> write(process, call.input()));
        try {
            if (!process.waitFor(call.limit())) {
                return new Outcome.TimedOut(call.limit());
            }
            return new Outcome.Ended(process.exitValue(), read(out), read(err));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Outcome.NotStarted("interrupted");
        } catch (TimeoutException open) {
            // A program that it has started still has its output.
            return new Outcome.TimedOut(call.limit());
        } catch (ExecutionException unreadable) {
            return new Outcome.NotStarted("its output cannot be read: " + unreadable.getMessage());
        }
    }

    private static String read(FutureTask<String> stream)
            throws InterruptedException, ExecutionException, TimeoutException {
        return stream.get(10, TimeUnit.SECONDS);
    }

    private static FutureTask<String> inBackground(InputStream stream) {
        var read = new FutureTask<>(() -> new String(stream.readAllBytes(), UTF_8));
        Thread.ofVirtual().start(read);
        return read;
    }

    /** A program that reads nothing closes its input: what it says then is told. */
    private static void write(Process process, String input) {
        try (OutputStream stream = process.getOutputStream()) {
            stream.write(input.getBytes(UTF_8));
        } catch (IOException closed) {
            return;
        }
    }

    @Override
    public Background start(List<String> command) {
        var last = new AtomicReference<>("");
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            running.add(process);
            Thread.ofVirtual().start(() -> write(process, ""));
            Thread.ofVirtual().start(() -> follow(process, last));
            return new Started(process, last);
        } catch (IOException notThere) {
            return new NeverStarted("'" + command.getFirst() + "' cannot be started");
        }
    }

    private static void follow(Process process, AtomicReference<String> last) {
        try (var lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                last.set(line);
            }
        } catch (IOException ended) {
            return;
        }
    }

    private void endAll() {
        running.forEach(ProcessPrograms::end);
    }

    /** Helm and kind start programs of their own. */
    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }

    private record Started(Process process, AtomicReference<String> last) implements Background {
        @Override
        public boolean isRunning() {
            return process.isAlive();
        }

        @Override
        public String lastLine() {
            return last.get();
        }
    }

    private record NeverStarted(String lastLine) implements Background {
        @Override
        public boolean isRunning() {
            return false;
        }
    }
}
