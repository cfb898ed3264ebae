// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import java.util.Collection;
import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The options of which a resource must have no value of another type than theirs. */
public final class CheckedOptions {
    /** The type of each by its key, in the order of the keys. */
    public static final SequencedMap<String, OptionType<?>> TYPES = types();

    private CheckedOptions() {}

    private static SequencedMap<String, OptionType<?>> types() {
        Stream<Option<?>> ofOperator =
                DeclaredOptions.ALL.values().stream()
                        .filter(OperatorOption::isChecked)
                        .map(OperatorOption::option);
        SequencedMap<String, OptionType<?>> types = new TreeMap<>();
        Stream.concat(
                        ofOperator,
                        Stream.of(AutoscalerOptions.CHECKED, FlinkOptions.CHECKED)
                                .flatMap(Collection::stream))
                .forEach(option -> types.put(option.key(), option.type()));
        return Collections.unmodifiableSequencedMap(types);
    }
}
