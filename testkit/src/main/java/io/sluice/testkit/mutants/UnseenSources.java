// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The sources whose faults no simulator of the operator can show, as {@code mutants/unseen} lists
 * them: a line for each, the beginning of a path, a colon, and why.
 *
 * @param reasons by the beginning of a path
 */
record UnseenSources(Map<String, String> reasons) {
    static UnseenSources of(Path root) {
        Map<String, String> reasons = new LinkedHashMap<>();
        NamedTest.textOf(root.resolve("mutants/unseen"))
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split(": +", 2))
                .forEach(parts -> reasons.put(parts[0], parts[1]));
        return new UnseenSources(reasons);
    }

    /** What is said of the mutant itself, or else of its source. */
    Optional<Sight> sight(Mutant mutant) {
        return mutant.sight()
                .or(
                        () ->
                                reasons.entrySet().stream()
                                        .filter(each -> holds(each.getKey(), mutant))
                                        .findFirst()
                                        .map(each -> new Sight.Unseen(each.getValue())));
    }

    static boolean holds(String beginning, Mutant mutant) {
        return mutant.source().toString().startsWith(beginning);
    }
}
