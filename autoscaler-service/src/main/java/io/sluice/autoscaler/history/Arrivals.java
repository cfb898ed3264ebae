// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.history;

import io.sluice.autoscaler.state.HalfFloat;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * The rates of the last six hours, as means of two minutes. A capacity can be tried on them: a job
 * that can do so much would have fallen behind so often. A load that comes in bursts is known by
 * that, and a job is not made smaller than its bursts allow.
 */
public final class Arrivals {
    public static final Arrivals NONE = new Arrivals(unknown(), -1, 0);

    private static final int BUCKETS = 180;
    private static final int BUCKET_SECONDS = 120;
    private static final int BYTES = Long.BYTES + BUCKETS * Short.BYTES;

    /** Characters of Base64, four for each three bytes. */
    private static final int CHARACTERS = Math.ceilDiv(BYTES, 3) * 4;

    /** The number of capacities that are tried, from the highest rate downwards. */
    private static final int TRIALS = 40;

    /** A load that was late so often is expected to be late again. */
    private static final int AGAIN = 2;

    /** Records a second, oldest first; not a number where nobody looked. */
    private final float[] rates;

    /**
     * The time that the last of them began, in two minutes since 1970; negative if there is none.
     */
    private final long newest;

    /** How many looks the last of them is the mean of. */
    private final int looks;

    private Arrivals(float[] rates, long newest, int looks) {
        this.rates = rates;
        this.newest = newest;
        this.looks = looks;
    }

    /**
     * Returns the arrivals with those of one more look.
     *
     * @param rate records a second that came in lately; this object if it is not finite
     */
    public Arrivals seen(double rate, Instant now) {
        long bucket = now.getEpochSecond() / BUCKET_SECONDS;
        if (!Double.isFinite(rate) || rate < 0) {
            return this;
        }
        if (bucket == newest) {
            float[] next = rates.clone();
            double former = next[BUCKETS - 1];
            next[BUCKETS - 1] = (float) (former + (rate - former) / (looks + 1));
            return new Arrivals(next, newest, looks + 1);
        }
        boolean isNew = newest < 0 || bucket < newest || bucket - newest >= BUCKETS;
        float[] next = unknown();
        if (!isNew) {
            int passed = (int) (bucket - newest);
            System.arraycopy(rates, passed, next, 0, BUCKETS - passed);
        }
        next[BUCKETS - 1] = (float) rate;
        return new Arrivals(next, bucket, 1);
    }

    /**
     * The least capacity, in records a second, with which the job would have been late at most once
     * in all this time: what comes once is not expected again. 0 if any capacity would do.
     *
     * @param objective late is who waits longer than this
     */
    public double envelope(Duration objective) {
        double most = 0;
        for (float rate : rates) {
            most = Math.max(most, Float.isFinite(rate) ? rate : 0);
        }
        double mean = mean();
        double enough = most;
        for (int trial = 1; trial < TRIALS; trial++) {
            double capacity = most * (TRIALS - trial) / TRIALS;
            if (spells(capacity, objective, mean) >= AGAIN) {
                return enough;
            }
            enough = capacity;
        }
        return 0;
    }

    /** How often a job that can do {@code capacity} would have become late. */
    private int spells(double capacity, Duration objective, double mean) {
        double late = objective.toSeconds() * mean;
        double waiting = 0;
        double rate = mean;
        int spells = 0;
        boolean isLate = false;
        for (float each : rates) {
            rate = Float.isFinite(each) ? each : rate;
            waiting = Math.max(0, waiting + (rate - capacity) * BUCKET_SECONDS);
            if (!isLate && waiting > late) {
                isLate = true;
                spells++;
            } else if (waiting == 0) {
                isLate = false;
            }
        }
        return spells;
    }

    private double mean() {
        double sum = 0;
        int known = 0;
        for (float rate : rates) {
            if (Float.isFinite(rate)) {
                sum += rate;
                known++;
            }
        }
        return known == 0 ? 0 : sum / known;
    }

    /** For the ConfigMap; empty if there is nothing yet. */
    public Optional<String> text() {
        if (newest < 0) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).putLong(newest);
        for (float rate : rates) {
            bytes.putShort(HalfFloat.packed(rate));
        }
        return Optional.of(Base64.getEncoder().encodeToString(bytes.array()));
    }

    /** What {@link #text} wrote; {@link #NONE} if it can't be read, or ends after {@code now}. */
    public static Arrivals read(String text, Instant now) {
        if (text.length() != CHARACTERS) {
            return NONE;
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
            long stored = bytes.remaining() == BYTES ? bytes.getLong() : -1;
            if (stored < 0 || stored > now.getEpochSecond() / BUCKET_SECONDS) {
                return NONE;
            }
            float[] rates = unknown();
            for (int i = 0; i < BUCKETS; i++) {
                rates[i] = HalfFloat.unpacked(bytes.getShort());
            }
            return new Arrivals(rates, stored, 1);
        } catch (IllegalArgumentException unreadable) {
            return NONE;
        }
    }

    private static float[] unknown() {
        float[] rates = new float[BUCKETS];
        Arrays.fill(rates, Float.NaN);
        return rates;
    }
}
