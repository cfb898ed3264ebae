// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial.program;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How a trial speaks: numbered steps with the time that has passed, what is done, what is seen. */
public final class Tell {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@,%+-]+");

    private final PrintWriter out;
    private final InstantSource clock;
    private final Instant began;
    private int steps;

    public Tell(PrintWriter out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
        this.began = clock.instant();
    }

    public void step(String title) {
        steps++;
        line("");
        line("[" + elapsed() + "] " + steps + ". " + title);
    }

    public void say(String text) {
        text.lines().forEach(each -> line("      " + each));
    }

    public void seen(String text) {
        say("✓ " + text);
    }

    public void progress(String text) {
        say("[" + elapsed() + "] " + text);
    }

    /** A command as it has to be typed. */
    public void command(List<String> words) {
        say("$ " + typed(words));
    }

    public static String typed(List<String> words) {
        return words.stream().map(Tell::word).collect(Collectors.joining(" "));
    }

    private static String word(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private String elapsed() {
        long seconds = Duration.between(began, clock.instant()).toSeconds();
        return "%d:%02d".formatted(seconds / 60, seconds % 60);
    }

    private void line(String text) {
        out.println(text);
        out.flush();
    }
}
