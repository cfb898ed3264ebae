// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.sluice.flink.rest.http.AnswerTooLarge;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Why a look failed, in one line. */
final class Failure {
    /** Of a look that was interrupted, wherever in it. */
    static final String TOO_LONG = "a look took longer than its time budget";

    private static final int DEEPEST = 8;

    private Failure() {}

    /** The first lines of the messages from the outermost to the first cause, each said once. */
    static String text(Throwable thrown) {
        List<String> lines = new ArrayList<>();
        Optional<Throwable> next = Optional.of(thrown);
        for (int depth = 0; next.isPresent() && depth < DEEPEST; depth++) {
            if (next.get() instanceof InterruptedException) {
                return TOO_LONG;
            }
            line(next.get())
                    .filter(line -> lines.stream().noneMatch(before -> before.contains(line)))
                    .ifPresent(lines::add);
            next = Optional.ofNullable(next.get().getCause());
        }
        return String.join(": ", lines);
    }

    /** Whether a JobManager answered with more than is read. */
    static boolean isTooLarge(Throwable thrown) {
        Optional<Throwable> next = Optional.of(thrown);
        for (int depth = 0; next.isPresent() && depth < DEEPEST; depth++) {
            if (next.get() instanceof AnswerTooLarge) {
                return true;
            }
            next = Optional.ofNullable(next.get().getCause());
        }
        return false;
    }

    /** Empty if it only wraps its cause. */
    private static Optional<String> line(Throwable thrown) {
        Optional<String> message =
                Optional.ofNullable(thrown.getMessage())
                        .flatMap(text -> text.lines().findFirst())
                        .map(String::strip)
                        .filter(text -> !text.isEmpty());
        Optional<Throwable> cause = Optional.ofNullable(thrown.getCause());
        if (cause.isEmpty()) {
            return Optional.of(message.orElse(thrown.getClass().getSimpleName()));
        }
        return message.filter(text -> !cause.get().toString().startsWith(text));
    }
}
