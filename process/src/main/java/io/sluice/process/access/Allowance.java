// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.process.TokenBucket;
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
    private final TokenBucket all;
    private final Cache<K, TokenBucket> each;

    Allowance(int inARow, int perSecond, LongSupplier nanos) {
        this.inARow = inARow;
        this.perSecond = perSecond;
        this.nanos = nanos;
        all = new TokenBucket(ALL * inARow, ALL * perSecond, nanos.getAsLong());
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
        TokenBucket own = each.get(asker, _ -> new TokenBucket(inARow, perSecond, now));
        if (!own.hasToken(now) || !all.hasToken(now)) {
            return false;
        }
        own.take();
        all.take();
        return true;
    }
}
