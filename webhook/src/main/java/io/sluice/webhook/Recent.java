// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import java.nio.ByteBuffer;
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
    private final SequencedMap<ByteBuffer, Judgement> judgements = new LinkedHashMap<>();

    /**
     * @param capacity how many judgements are kept
     */
    Recent(int capacity) {
        this.capacity = capacity;
    }

    /** The answer under the uid that is asked with now. */
    synchronized Optional<Judgement> find(Envelope asked) {
        return Optional.ofNullable(judgements.get(asked.content()))
                .map(judgement -> judgement.askedAs(asked.uid()));
    }

    /** Remembers it in place of the oldest. */
    synchronized void keep(Envelope asked, Judgement judgement) {
        judgements.putIfAbsent(asked.content(), judgement);
        if (judgements.size() > capacity) {
            judgements.pollFirstEntry();
        }
    }
}
