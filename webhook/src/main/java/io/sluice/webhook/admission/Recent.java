// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was judged last. The API server asks twice about each write, to complete and then to check
 * it, and the second time about the same bytes unless something was completed: that answer is known
 * already.
 *
 * <p>Bodies are copied to places that are used again: what outlives its request would be most of
 * what the collector has to move.
 */
final class Recent {
    /** Longer bodies are rare, and judged twice. */
    static final int LONGEST = 64 * 1024;

    private final Place[] places;
    private final Map<Envelope.Mark, Place> byMark = new HashMap<>();
    private int next;

    /**
     * @param capacity how many judgements are kept, one at least
     */
    Recent(int capacity) {
        places = new Place[capacity];
    }

    /** The answer under the uid that is asked with now. */
    synchronized Optional<AdmissionVerdict> find(Envelope asked) {
        return Optional.ofNullable(byMark.get(asked.mark()))
                .filter(place -> asked.isIn(place.content))
                .map(place -> place.judgement.askedAs(asked.uid()));
    }

    /** Remembers it in place of the oldest. */
    synchronized void keep(Envelope asked, AdmissionVerdict judgement) {
        if (asked.mark().length() > LONGEST) {
            return;
        }
        Place oldest = places[next];
        if (oldest != null) {
            byMark.remove(oldest.mark, oldest);
        }
        var place = new Place(asked, judgement, oldest == null ? new byte[0] : oldest.content);
        places[next] = place;
        byMark.put(place.mark, place);
        next = (next + 1) % places.length;
    }

    private static final class Place {
        private final Envelope.Mark mark;
        private final AdmissionVerdict judgement;
        private final byte[] content;

        /**
         * @param former overwritten if it is long enough
         */
        Place(Envelope asked, AdmissionVerdict judgement, byte[] former) {
            this.mark = asked.mark();
            this.judgement = judgement;
            this.content = former.length < mark.length() ? new byte[mark.length()] : former;
            asked.copy(content);
        }
    }
}
