// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LineTest {
    private final Line<String> line = new Line<>();

    @Test
    void namespacesTakeTurnsWhateverNumberOfTheirsWaits() {
        for (int i = 1; i <= 4; i++) {
            line.add("busy", "busy" + i);
        }
        line.add("quiet", "quiet1");
        line.add("small", "small1");
        line.add("small", "small2");

        assertThat(all())
                .containsExactly("busy4", "quiet1", "small2", "busy1", "small1", "busy3", "busy2");
    }

    @Test
    void whoeverComesLaterIsNextOnceEachOfTheOthersHadATurn() {
        line.add("busy", "busy1");
        line.add("busy", "busy2");
        line.add("other", "other1");
        line.add("other", "other2");
        assertThat(line.next()).contains("busy2");
        line.add("late", "late1");

        assertThat(all()).containsExactly("other2", "busy1", "late1", "other1");
    }

    @Test
    void remembersNoNamespaceOfWhichNothingWaits() {
        line.add("shop", "one");
        assertThat(line.size()).isOne();

        assertThat(all()).containsExactly("one");

        assertThat(line.isEmpty()).isTrue();
        assertThat(line.next()).isEmpty();
    }

    private List<String> all() {
        return Stream.generate(line::next)
                .takeWhile(Optional::isPresent)
                .flatMap(Optional::stream)
                .toList();
    }
}
