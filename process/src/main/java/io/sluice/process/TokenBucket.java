// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

/**
 * A rate limit: so many in a row, and so many in each second after that. Callers see to it that
 * only one thread uses a bucket at a time.
 */
public final class TokenBucket {
    private static final double NANOS_PER_SECOND = 1e9;

    private final int capacity;
    private final int perSecond;
    private double tokens;
    private long refilled;

    /**
     * A bucket that is full.
     *
     * @param now in nanoseconds, of a clock that only goes forward
     */
    public TokenBucket(int capacity, int perSecond, long now) {
        this.capacity = capacity;
        this.perSecond = perSecond;
        tokens = capacity;
        refilled = now;
    }

    /** Whether a token can be taken now. */
    public boolean hasToken(long now) {
        refill(now);
        return tokens >= 1;
    }

    /** Whether as many as ever could be taken now. */
    public boolean isFull(long now) {
        refill(now);
        return tokens >= capacity;
    }

    /** Takes a token that {@link #hasToken} has found. */
    public void take() {
        tokens--;
    }

    private void refill(long now) {
        tokens = Math.min(capacity, tokens + (now - refilled) / NANOS_PER_SECOND * perSecond);
        refilled = now;
    }
}
