// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The same measurement of two things, in turns. Each figure is the median of its turns: in one or
 * two of them the machine may have done something else.
 */
record Pair(List<Sample> first, List<Sample> second) {
    private static final int TURNS = 5;

    Pair {
        first = List.copyOf(first);
        second = List.copyOf(second);
    }

    /** Neither is always the first of a turn. */
    static Pair of(Supplier<Sample> first, Supplier<Sample> second) {
        List<Sample> ones = new ArrayList<>();
        List<Sample> twos = new ArrayList<>();
        for (int turn = 0; turn < TURNS; turn++) {
            if (turn % 2 == 0) {
                ones.add(first.get());
                twos.add(second.get());
            } else {
                twos.add(second.get());
                ones.add(first.get());
            }
        }
        return new Pair(ones, twos);
    }

    double first(ToDoubleFunction<Sample> of) {
        return median(first, of);
    }

    double second(ToDoubleFunction<Sample> of) {
        return median(second, of);
    }

    private static double median(List<Sample> samples, ToDoubleFunction<Sample> of) {
        return samples.stream().mapToDouble(of).sorted().skip(TURNS / 2).findFirst().orElseThrow();
    }
}
