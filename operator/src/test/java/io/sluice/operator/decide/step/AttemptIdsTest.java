// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.model.AttemptHistory;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What stands under a former id is taken for what is to be made, so that no two may be the same.
 */
class AttemptIdsTest {
    private static final Optional<String> BEFORE = Optional.of("a".repeat(32));
    private static final String ID = AttemptIds.id("uid", 2, BEFORE);

    @Test
    void anIdIsTheSameWheneverItIsAskedFor() {
        assertThat(AttemptIds.id("uid", 2, BEFORE)).isEqualTo(ID).matches("[0-9a-f]{32}");
    }

    /** One that is made anew under the name of a deleted one begins with generation 1 again. */
    @Test
    void anIdNamesTheResource() {
        assertThat(AttemptIds.id("another", 2, BEFORE)).isNotEqualTo(ID);
    }

    @Test
    void anIdNamesTheGeneration() {
        assertThat(AttemptIds.id("uid", 3, BEFORE)).isNotEqualTo(ID);
    }

    /** A restart is no edit. */
    @Test
    void anIdNamesTheAttemptBefore() {
        assertThat(AttemptIds.id("uid", 2, Optional.of(ID))).isNotEqualTo(ID);
        assertThat(AttemptIds.id("uid", 2, Optional.empty())).isNotEqualTo(ID);
    }

    /** So that its graphs can be told from those of other jobs in Flink's metadata. */
    @Test
    void idsOfOneSessionJobBeginAlikeAndThoseOfNoOther() {
        String first = AttemptIds.ofSessionJob("uid", 1, Optional.empty());
        String second = AttemptIds.ofSessionJob("uid", 1, Optional.of(first));
        String beginning = AttemptHistory.beginningOfIds("uid");

        assertThat(first).matches("[0-9a-f]{32}").startsWith(beginning);
        assertThat(second).matches("[0-9a-f]{32}").startsWith(beginning).isNotEqualTo(first);
        assertThat(AttemptIds.ofSessionJob("another", 1, Optional.empty()))
                .doesNotStartWith(beginning);
    }

    @Test
    void aTriggerNamesTheAttemptAndTheTry() {
        String trigger = AttemptIds.trigger("uid", 2, ID, 1);

        assertThat(AttemptIds.trigger("uid", 2, ID, 1)).isEqualTo(trigger);
        assertThat(AttemptIds.trigger("uid", 2, ID, 2)).isNotEqualTo(trigger);
        assertThat(AttemptIds.trigger("uid", 2, "b".repeat(32), 1)).isNotEqualTo(trigger);
    }
}
