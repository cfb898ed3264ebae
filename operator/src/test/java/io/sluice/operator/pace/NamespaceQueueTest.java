// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NamespaceQueueTest {
    private final NamespaceQueue<String> namespaceQueue = new NamespaceQueue<>();

    @Test
    void namespacesTakeTurnsWhateverNumberOfTheirsWaits() {
        for (int i = 1; i <= 4; i++) {
            namespaceQueue.add("busy", "busy" + i);
        }
        namespaceQueue.add("quiet", "quiet1");
        namespaceQueue.add("small", "small1");
        namespaceQueue.add("small", "small2");

        assertThat(all())
                .containsExactly("busy4", "quiet1", "small2", "busy1", "small1", "busy3", "busy2");
    }

    @Test
    void whoeverComesLaterIsNextOnceEachOfTheOthersHadATurn() {
        namespaceQueue.add("busy", "busy1");
        namespaceQueue.add("busy", "busy2");
        namespaceQueue.add("other", "other1");
        namespaceQueue.add("other", "other2");
        assertThat(namespaceQueue.next(_ -> true)).contains("busy2");
        namespaceQueue.add("late", "late1");

        assertThat(all()).containsExactly("other2", "busy1", "late1", "other1");
    }

    @Test
    void remembersNoNamespaceOfWhichNothingWaits() {
        namespaceQueue.add("shop", "one");
        assertThat(namespaceQueue.size()).isOne();

        assertThat(all()).containsExactly("one");

        assertThat(namespaceQueue.isEmpty()).isTrue();
        assertThat(namespaceQueue.next(_ -> true)).isEmpty();
    }

    @Test
    void aNamespaceWhoseNextMayNotComeKeepsItsPlace() {
        namespaceQueue.add("busy", "large");
        namespaceQueue.add("quiet", "quiet1");
        namespaceQueue.add("quiet", "quiet2");

        assertThat(namespaceQueue.peek(item -> !item.equals("large"))).contains("quiet2");
        assertThat(namespaceQueue.next(item -> !item.equals("large"))).contains("quiet2");
        assertThat(namespaceQueue.next(_ -> false)).isEmpty();

        assertThat(all()).containsExactly("large", "quiet1");
    }

    private List<String> all() {
        return Stream.generate(() -> namespaceQueue.next(_ -> true))
                .takeWhile(Optional::isPresent)
                .flatMap(Optional::stream)
                .toList();
    }
}
