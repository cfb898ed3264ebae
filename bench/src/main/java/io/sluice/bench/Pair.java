// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The same measurement of two things, in turns: once of each, and once more of each. */
record Pair(List<Sample> first, List<Sample> second) {
    Pair {
        first = List.copyOf(first);
        second = List.copyOf(second);
    }

    static Pair of(Supplier<Sample> first, Supplier<Sample> second) {
        var one = first.get();
        var two = second.get();
        var twoAgain = second.get();
        return new Pair(List.of(one, first.get()), List.of(two, twoAgain));
    }

    double first(ToDoubleFunction<Sample> of) {
        return mean(first.stream(), of);
    }

    double second(ToDoubleFunction<Sample> of) {
        return mean(second.stream(), of);
    }

    private static double mean(Stream<Sample> samples, ToDoubleFunction<Sample> of) {
        return samples.mapToDouble(of).average().orElseThrow();
    }
}
