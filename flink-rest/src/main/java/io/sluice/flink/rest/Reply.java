// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import java.util.Optional;
import java.util.function.Function;

/**
 * What came of a request.
 *
 * <pre>
 *   Ok           the JobManager answered with what was asked for
 *   JobUnknown   the JobManager answered: it knows no such job
 *   Refused      the JobManager answered: no
 *   Unreachable  nobody knows: refused connection, time-out, 503 during an election, cut reply
 *   TooLarge     nobody knows: the JobManager answered with more than is read
 * </pre>
 */
public sealed interface Reply<T> {
    record Ok<T>(T value) implements Reply<T> {}

    record JobUnknown<T>() implements Reply<T> {}

    /**
     * @param status the HTTP status, 400 to 599
     * @param message the first line of Flink's own words and their cause, for people; never
     *     branched on
     */
    record Refused<T>(int status, String message) implements Reply<T> {}

    /**
     * @param message why, for people
     */
    record Unreachable<T>(String message) implements Reply<T> {}

    /**
     * Nothing of the answer is used: a part of a list must not be taken for all of it.
     *
     * @param limit the bound that it exceeds
     * @param message which it is and what sets it, for people
     */
    record TooLarge<T>(AnswerLimit limit, String message) implements Reply<T> {}

    /** The value, if the reply is {@link Ok}. */
    default Optional<T> answer() {
        return this instanceof Ok<T>(var value) ? Optional.of(value) : Optional.empty();
    }

    default <R> Reply<R> map(Function<T, R> function) {
        return switch (this) {
            case Ok<T>(var value) -> new Ok<>(function.apply(value));
            case JobUnknown<T> _ -> new JobUnknown<>();
            case Refused<T>(var status, var message) -> new Refused<>(status, message);
            case Unreachable<T>(var message) -> new Unreachable<>(message);
            case TooLarge<T>(var limit, var message) -> new TooLarge<>(limit, message);
        };
    }
}
