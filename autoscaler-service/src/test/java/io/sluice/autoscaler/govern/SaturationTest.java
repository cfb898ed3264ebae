// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static io.sluice.autoscaler.govern.Proposals.NOW;
import static io.sluice.autoscaler.govern.Proposals.job;
import static io.sluice.autoscaler.govern.Proposals.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SaturationTest {
    private static final Saturation TEN_DID_A_THOUSAND =
            Saturation.NONE.seen(doing(10, 1000, 1000));

    @Test
    void noSubtaskCanDoMoreThanItDidWhileAllWereBusy() {
        assertThat(capacity(TEN_DID_A_THOUSAND.respected(doing(20, 3000, 500)))).isEqualTo(2000);
        assertThat(capacity(TEN_DID_A_THOUSAND.respected(doing(20, 1500, 500)))).isEqualTo(1500);
    }

    @Test
    void knowsOfNoLimitWhileTheSubtasksAreNotBusyAllTheTime() {
        Saturation seen = Saturation.NONE.seen(doing(10, 1000, 900));

        assertThat(seen).isEqualTo(Saturation.NONE);
        assertThat(capacity(seen.respected(doing(20, 3000, 500)))).isEqualTo(3000);
    }

    @Test
    void goesByTheLastTime() {
        Saturation seen = TEN_DID_A_THOUSAND.seen(doing(20, 4000, 4000));

        assertThat(capacity(seen.respected(doing(10, 3000, 500)))).isEqualTo(2000);
    }

    @Test
    void forgetsItAfterTwelveHours() {
        Proposal later = doing(20, 3000, 500);

        assertThat(TEN_DID_A_THOUSAND.seen(later.withNow(NOW.plus(Duration.ofHours(12)))))
                .isEqualTo(TEN_DID_A_THOUSAND);
        assertThat(TEN_DID_A_THOUSAND.seen(later.withNow(NOW.plus(Duration.ofHours(13)))))
                .isEqualTo(Saturation.NONE);
    }

    @Test
    void isReadAsItWasWritten() {
        String text = TEN_DID_A_THOUSAND.text().orElseThrow();

        assertThat(Saturation.read(text, NOW)).isEqualTo(TEN_DID_A_THOUSAND);
        assertThat(Saturation.NONE.text()).isEmpty();
    }

    @Test
    void isEmptyIfItsTextIsBrokenOrOfALaterTime() {
        String text = TEN_DID_A_THOUSAND.text().orElseThrow();

        assertThat(Saturation.read(text, NOW.minusSeconds(1))).isEqualTo(Saturation.NONE);
        assertThat(Saturation.read(text.replace("100.0", "-1"), NOW)).isEqualTo(Saturation.NONE);
        assertThat(Saturation.read("work 1", NOW)).isEqualTo(Saturation.NONE);
    }

    private static double capacity(Proposal proposal) {
        return proposal.vertices().get("work").need().capacity();
    }

    private static Proposal doing(int parallelism, double capacity, double rate) {
        return job(vertex(parallelism, parallelism).needing(capacity, rate, 0, false));
    }
}
