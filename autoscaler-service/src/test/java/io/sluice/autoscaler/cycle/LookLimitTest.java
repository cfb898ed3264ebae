// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LookLimitTest {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService looks = Executors.newVirtualThreadPerTaskExecutor();
    private final List<LookLimit.Place> taken = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        timer.shutdownNow();
        looks.shutdownNow();
    }

    @Test
    void givesAPlaceToTheNextOnceALookEnds() {
        take(new LookLimit(2, Optional.empty()), 3);
        await().until(() -> taken.size() == 2);

        taken.getFirst().close();

        await().until(() -> taken.size() == 3);
    }

    @Test
    void countsALookThatWaitsForAnAnswerForAWhileOnly() {
        take(new LookLimit(2, Optional.of(Duration.ofMillis(50))), 20);

        await().until(() -> taken.size() == 20);
    }

    @Test
    void getsEachPlaceBackOnce() throws InterruptedException {
        LookLimit.Places places = new LookLimit.Places(new LookLimit(1, Optional.empty()), timer);
        LookLimit.Place place = places.take();
        place.close();
        place.close();

        places.take();
        var _ = looks.submit(() -> taken.add(places.take()));

        await().during(Duration.ofMillis(200)).until(taken::isEmpty);
        assertThat(taken).isEmpty();
    }

    private void take(LookLimit limit, int count) {
        LookLimit.Places places = new LookLimit.Places(limit, timer);
        for (int i = 0; i < count; i++) {
            var _ = looks.submit(() -> taken.add(places.take()));
        }
    }
}
