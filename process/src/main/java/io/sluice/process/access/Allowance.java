// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many questions each asker may still ask: so many in a row, and so many in each second after
 * that. All askers together may ask four times as many.
 *
 * @param <K> who asks
 */
final class Allowance<K> {
    private static final int ALL = 4;
    private static final int MOST_ASKERS = 10_000;

    private final int inARow;
    private final int perSecond;
    private final LongSupplier nanos;
    private final Bucket all;
    private final Cache<K, Bucket> each;

    /** What may still be asked, refilled as time goes by. */
    private static final class Bucket {
        private double left;
        private long refilled;

        Bucket(double left, long now) {
            this.left = left;
            this.refilled = now;
        }

        void refill(double most, double perSecond, long now) {
            left = Math.min(most, left + (now - refilled) / 1e9 * perSecond);
            refilled = now;
        }
    }

    Allowance(int inARow, int perSecond, LongSupplier nanos) {
        this.inARow = inARow;
        this.perSecond = perSecond;
        this.nanos = nanos;
        all = new Bucket((double) ALL * inARow, nanos.getAsLong());
        each =
                Caffeine.newBuilder()
                        .maximumSize(MOST_ASKERS)
                        .expireAfterAccess(Duration.ofMinutes(5))
                        .ticker(nanos::getAsLong)
                        .executor(Runnable::run)
                        .build();
    }

    /** Whether one more may be asked, which is then counted. */
    synchronized boolean take(K asker) {
        long now = nanos.getAsLong();
        Bucket own = each.get(asker, _ -> new Bucket(inARow, now));
        own.refill(inARow, perSecond, now);
        all.refill((double) ALL * inARow, (double) ALL * perSecond, now);
        if (own.left < 1 || all.left < 1) {
            return false;
        }
        own.left--;
        all.left--;
        return true;
    }
}
