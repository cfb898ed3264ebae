// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * What was judged last. The API server asks twice about each write, to complete and then to check
 * it, and the second time about the same bytes unless something was completed: that answer is known
 * already.
 */
final class Recent {
    private final int capacity;
    private final SequencedMap<Envelope, Judgement> judgements = new LinkedHashMap<>();
    private int size;

    /**
     * @param capacity bytes of all bodies kept
     */
    Recent(int capacity) {
        this.capacity = capacity;
    }

    /** The answer under the uid that is asked with now. */
    synchronized Optional<Judgement> find(Envelope asked) {
        return Optional.ofNullable(judgements.get(asked))
                .map(judgement -> judgement.askedAs(asked.uid()));
    }

    /** Remembers it in place of the oldest. */
    synchronized void keep(Envelope asked, Judgement judgement) {
        if (asked.size() > capacity || judgements.putIfAbsent(asked, judgement) != null) {
            return;
        }
        size += asked.size();
        while (size > capacity) {
            size -= judgements.pollFirstEntry().getKey().size();
        }
    }
}
