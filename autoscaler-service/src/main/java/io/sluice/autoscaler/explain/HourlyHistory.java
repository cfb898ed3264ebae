// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.autoscaler.state.HalfFloat;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * The last four weeks of one job by the hour: what came in, the slots that it had, and how late it
 * was. It is stored with the job, so that it outlives the process. Each number is the upper half of
 * a float, which is a part in 256; a thousand jobs have 4 KiB each.
 */
public final class HourlyHistory {
    private static final int HOURS = 28 * 24;
    private static final int SERIES = 3;
    private static final int RATE = 0;
    private static final int SLOTS = 1;
    private static final int LAG = 2;
    private static final long HOUR_SECONDS = Duration.ofHours(1).toSeconds();
    private static final int BYTES = Integer.BYTES + HOURS * SERIES * Short.BYTES;

    /** Characters of Base64, four for each three bytes. */
    private static final int CHARACTERS = Math.ceilDiv(BYTES, 3) * 4;

    /**
     * The series of each hour stand together; an hour takes the place of that of four weeks before.
     */
    private final short[] values = new short[HOURS * SERIES];

    /** Hours since 1970; negative if there is none yet. */
    private int newest = -1;

    /** The newest hour's, not rounded: a mean of hundreds of looks moves by less than that. */
    private final double[] current = new double[SERIES];

    /** How many looks each of them is of. */
    private final int[] looks = new int[SERIES];

    public HourlyHistory() {
        Arrays.fill(values, HalfFloat.UNKNOWN);
    }

    /**
     * One look. The hour has the mean of the rates and slots, and the most lag.
     *
     * @param rate records per second; not finite if unknown
     * @param slots not finite if unknown
     * @param lag in seconds; not finite if unknown
     */
    public synchronized void add(Instant at, double rate, double slots, double lag) {
        int hour = (int) (at.getEpochSecond() / HOUR_SECONDS);
        if (hour < newest && newest - hour < HOURS) {
            return; // the clock was set back, and this hour is over
        }
        turnTo(hour);
        addMean(RATE, rate);
        addMean(SLOTS, slots);
        add(LAG, looks[LAG] == 0 ? lag : Math.max(current[LAG], lag), lag);
    }

    /** For the ConfigMap; empty if there is nothing yet. */
    public synchronized Optional<String> text() {
        if (newest < 0) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).putInt(newest);
        bytes.asShortBuffer().put(values);
        return Optional.of(Base64.getEncoder().encodeToString(bytes.array()));
    }

    /**
     * Reads what {@link #text} wrote. The history is empty if the text can't be read, or ends after
     * {@code now}. The newest hour goes on as if the job had been looked at once in it.
     */
    public static HourlyHistory read(String text, Instant now) {
        HourlyHistory history = new HourlyHistory();
        if (text.length() != CHARACTERS) {
            return history;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            if (bytes.length == BYTES) {
                history.take(ByteBuffer.wrap(bytes), (int) (now.getEpochSecond() / HOUR_SECONDS));
            }
        } catch (IllegalArgumentException unreadable) {
            // Costs pictures, and no decision.
        }
        return history;
    }

    /**
     * {@code times} in seconds since 1970, and for each of them a number or null in each series.
     */
    synchronized void writeTo(ObjectNode json) {
        ArrayNode times = json.putArray("times");
        ArrayNode rates = json.putArray("rate");
        ArrayNode slots = json.putArray("slots");
        ArrayNode lags = json.putArray("lagSeconds");
        for (int hour = newest - HOURS + 1; newest >= 0 && hour <= newest; hour++) {
            if (!times.isEmpty() || isKnown(hour)) {
                times.add(hour * HOUR_SECONDS);
                write(rates, hour, RATE);
                write(slots, hour, SLOTS);
                write(lags, hour, LAG);
            }
        }
    }

    private void take(ByteBuffer bytes, int now) {
        int stored = bytes.getInt();
        if (stored >= 0 && stored <= now) {
            newest = stored;
            bytes.asShortBuffer().get(values);
            for (int series = 0; series < SERIES; series++) {
                current[series] = HalfFloat.unpacked(values[place(newest) + series]);
                looks[series] = Double.isFinite(current[series]) ? 1 : 0;
            }
        }
    }

    /** Hours that nobody looked in are unknown. */
    private void turnTo(int hour) {
        if (hour == newest) {
            return;
        }
        int unseen = newest < 0 || hour < newest ? HOURS : Math.min(HOURS, hour - newest);
        for (int passed = 0; passed < unseen; passed++) {
            int from = place(hour - passed);
            Arrays.fill(values, from, from + SERIES, HalfFloat.UNKNOWN);
        }
        newest = hour;
        Arrays.fill(looks, 0);
    }

    private void addMean(int series, double more) {
        double former = current[series];
        add(
                series,
                looks[series] == 0 ? more : former + (more - former) / (looks[series] + 1),
                more);
    }

    /** Unless what was seen is unknown. */
    private void add(int series, double result, double seen) {
        if (Double.isFinite(seen)) {
            current[series] = result;
            looks[series]++;
            values[place(newest) + series] = HalfFloat.packed((float) result);
        }
    }

    private boolean isKnown(int hour) {
        for (int series = 0; series < SERIES; series++) {
            if (Float.isFinite(HalfFloat.unpacked(values[place(hour) + series]))) {
                return true;
            }
        }
        return false;
    }

    private void write(ArrayNode json, int hour, int series) {
        float value = HalfFloat.unpacked(values[place(hour) + series]);
        if (Float.isFinite(value)) {
            json.add(value);
        } else {
            json.addNull();
        }
    }

    private static int place(int hour) {
        return Math.floorMod(hour, HOURS) * SERIES;
    }
}
