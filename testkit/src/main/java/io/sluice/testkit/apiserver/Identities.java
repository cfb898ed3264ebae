// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import java.util.UUID;

/** Uids, the ends of generated names and times: the same for the same seed and clock. */
final class Identities {
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int GENERATED = 5;

    private final SplittableRandom random;
    private final InstantSource clock;

    Identities(long seed, InstantSource clock) {
        this.random = new SplittableRandom(seed);
        this.clock = clock;
    }

    /** As one of version 4. */
    String uid() {
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
        return new UUID(high, low).toString();
    }

    String generated(String prefix) {
        var name = new StringBuilder(prefix);
        for (int i = 0; i < GENERATED; i++) {
            name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return name.toString();
    }

    /** The time in {@code seconds}, to the second as Kubernetes has it. */
    String time(long seconds) {
        return clock.instant().plusSeconds(seconds).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    String now() {
        return time(0);
    }
}
