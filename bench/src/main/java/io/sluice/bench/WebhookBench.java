// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;

/**
 * Measures the webhook against a route of the same process that does nothing, in turns, so that
 * what else the machine does falls on both. Prints a table and writes it to a file.
 *
 * <pre>
 *   java -cp … io.sluice.bench.WebhookBench FOLDER SECONDS java FLAGS… io.sluice.webhook.MeasuredMain
 * </pre>
 */
public final class WebhookBench {
    private static final int MANY = 64;
    private static final int[] CLOSED = {1, 16, MANY, 200};
    private static final int[] OPEN = {200, 500, 1000};
    private static final int STARTS = 9;
    private static final int CACHED = 10_000;
    private static final int WARM_UPS = 5;
    private static final int WARM_UP_CALLERS = 8;

    /** Of the image; the one that is measured under load has one more route, from one more jar. */
    private static final String MAIN = "io.sluice.webhook.Main";

    /** What the compiler took for a moment has been given back by then. */
    private static final Duration TRIMMED = Duration.ofSeconds(12);

    /** More than the webhook remembers. */
    private static final int UPDATES = 1000;

    private final Path folder;
    private final Duration length;
    private final List<String> command;
    private final Table table = new Table();

    private WebhookBench(Path folder, Duration length, List<String> command) {
        this.folder = folder;
        this.length = length;
        this.command = command;
    }

    public static void main(String[] arguments) throws IOException, GeneralSecurityException {
        new WebhookBench(
                        Path.of(arguments[0]),
                        Duration.ofSeconds(Integer.parseInt(arguments[1])),
                        List.of(arguments).subList(2, arguments.length))
                .run();
    }

    private void run() throws IOException, GeneralSecurityException {
        Files.createDirectories(folder);
        starts();
        try (var api = StandInApi.start(CACHED);
                var webhook = WebhookProcess.start(command, api, folder)) {
            Duration ready = webhook.awaitReady();
            table.row("ready with 10,000 resources to list", millis(ready), "", "");
            long idle = webhook.residentBytes();
            measure(webhook, Trust.in(api.caBundle().orElseThrow()));
            table.row("resident, idle", mebibytes(idle), "", "");
            table.row("resident, under load", mebibytes(webhook.residentBytes()), "", "");
            Pauses.of(TRIMMED);
            table.row(
                    "resident, after all this",
                    mebibytes(webhook.residentBytes()),
                    "",
                    "< 192 MiB");
        }
        String text = table.text();
        System.out.print(text);
        Files.writeString(folder.resolve("webhook.txt"), text);
    }

    /**
     * In an empty cluster, where the first start issues the certificate and the next ones find it.
     */
    private void starts() throws IOException {
        List<Duration> first = new ArrayList<>();
        List<Duration> later = new ArrayList<>();
        for (int i = 0; i < STARTS; i++) {
            try (var api = StandInApi.start(0)) {
                first.add(start(api));
                later.add(start(api));
            }
        }
        table.row("ready after, with a certificate to issue", median(first), "", "< 1000 ms");
        table.row("ready after, with one that is there", median(later), "", "< 1000 ms");
    }

    private Duration start(StandInApi api) throws IOException {
        List<String> asInImage = new ArrayList<>(command.subList(0, command.size() - 1));
        asInImage.add(MAIN);
        try (var webhook = WebhookProcess.start(asInImage, api, folder)) {
            return webhook.awaitReady();
        }
    }

    private static String median(List<Duration> durations) {
        return millis(durations.stream().sorted().toList().get(durations.size() / 2));
    }

    private void measure(WebhookProcess webhook, SSLContext trust) {
        List<byte[]> updates = Reviews.updates(UPDATES);
        byte[] one = updates.getFirst();
        Load nothing = load(Script.always("/nothing", one), webhook, trust);
        Load writes =
                load(
                        Script.writes(updates, updates.stream().map(Reviews::askedAgain).toList()),
                        webhook,
                        trust);
        Load creations =
                load(
                        Script.writes(
                                Reviews.creations(UPDATES), Reviews.creationsAskedAgain(UPDATES)),
                        webhook,
                        trust);
        Load first = load(Script.each("/validate", updates), webhook, trust);
        Load again = load(Script.always("/validate", one), webhook, trust);
        for (int i = 0; i < WARM_UPS; i++) {
            writes.closed(WARM_UP_CALLERS, length);
            creations.closed(WARM_UP_CALLERS, length);
            again.closed(WARM_UP_CALLERS, length);
            nothing.closed(WARM_UP_CALLERS, length);
            again.closed(1, length);
            nothing.closed(1, length);
        }
        table.title(
                "another update of "
                        + one.length / 1024
                        + " KiB each time, to /mutate and then to /validate; two calls a write");
        for (int callers : CLOSED) {
            closed(callers, writes, nothing, Aims.OF_WRITES);
        }
        for (int writesPerSecond : OPEN) {
            open(2 * writesPerSecond, writes, nothing, Aims.OF_WRITES);
        }
        table.title("another creation each time, to /mutate and then to /validate");
        closed(MANY, creations, nothing, Aims.NONE);
        table.title("another update each time, to /validate alone: none is remembered");
        closed(MANY, first, nothing, Aims.NONE);
        table.title("one update, asked again and again: it is remembered");
        closed(MANY, again, nothing, Aims.NONE);
        for (int rate : OPEN) {
            open(rate, again, nothing, Aims.NONE);
        }
    }

    /**
     * The figures that a load has to reach; each is empty if it is there for orientation.
     *
     * @param processor of processor time a call
     * @param rate of calls a second by {@link #MANY} callers
     * @param fair of the callers' medians
     * @param p99 by calls a second
     */
    private record Aims(String processor, String rate, String fair, Map<Integer, String> p99) {
        static final Aims NONE = new Aims("", "", "", Map.of());
        static final Aims OF_WRITES =
                new Aims(
                        "<= 2, and <= 300 µs",
                        ">= 0.5",
                        "<= 2, first column",
                        Map.of(1000, "<= 10 ms", 2000, "<= 1.5"));
    }

    private static Load load(Script script, WebhookProcess webhook, SSLContext trust) {
        return new Load(trust, webhook.httpsPort(), script, webhook::processorTime);
    }

    private void closed(int callers, Load review, Load nothing, Aims aims) {
        var pair =
                Pair.of(
                        () -> review.closed(callers, length),
                        () -> nothing.closed(callers, length));
        String name = callers + (callers == 1 ? " caller" : " callers");
        table.row(
                name + ": processor a call, µs", pair, Sample::processorPerCall, aims.processor());
        table.row(
                name + ": calls a second",
                pair,
                Sample::perSecond,
                callers == MANY ? aims.rate() : "");
        table.row(name + ": median, ms", pair, sample -> sample.quantile(0.5), "");
        table.row(name + ": p99, ms", pair, sample -> sample.quantile(0.99), "");
        table.row(
                name + ": slowest caller's median to fastest's",
                pair,
                Sample::unfairness,
                callers == MANY ? aims.fair() : "");
    }

    private void open(int rate, Load review, Load nothing, Aims aims) {
        var pair = Pair.of(() -> review.open(rate, length), () -> nothing.open(rate, length));
        table.row(
                rate + " calls a second: p99, ms",
                pair,
                sample -> sample.quantile(0.99),
                aims.p99().getOrDefault(rate, ""));
        table.row(rate + " calls a second: median, ms", pair, sample -> sample.quantile(0.5), "");
    }

    private static String millis(Duration duration) {
        return duration.toMillis() + " ms";
    }

    private static String mebibytes(long bytes) {
        return bytes / (1024 * 1024) + " MiB";
    }
}
