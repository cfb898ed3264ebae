// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Asks whoever sits at the terminal. */
interface Confirmation {
    /** Whether the question was answered with yes; empty if there is no terminal. */
    Optional<Boolean> of(String question);

    /** At the terminal of this process. */
    static Confirmation atTerminal() {
        return question ->
                Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .map(console -> console.readLine("%s [y/N] ", question))
                        .map(
                                answer ->
                                        Set.of("y", "yes")
                                                .contains(answer.strip().toLowerCase(Locale.ROOT)));
    }
}
