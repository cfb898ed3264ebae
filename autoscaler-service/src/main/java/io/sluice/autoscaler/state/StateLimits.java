// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.state;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ClientOptions;
import java.util.stream.IntStream;

/**
 * How much of what is stored of a job is read, and how much is written. Whoever may edit the
 * ConfigMap could put something in that is large once it is unpacked. What is written keeps to the
 * same limits, so that the service never refuses its own.
 *
 * @param unpacked bytes of all entries once they are unpacked
 * @param packed characters of the entries with samples as they are stored
 * @param nesting levels of YAML in one entry
 * @param vertices that the overrides may name; a JobManager may name as many
 */
public record StateLimits(int unpacked, int packed, int nesting, int vertices) {
    /** A ConfigMap holds 1 MiB, of which keys and metadata take a part. */
    private static final int MOST_PACKED = 1_000_000;

    public static final StateLimits DEFAULT = of(new Options(FlinkConfiguration.EMPTY));

    /**
     * @throws IllegalArgumentException if a limit is not positive, or a ConfigMap would not hold
     *     {@code packed} characters
     */
    public StateLimits {
        if (!IntStream.of(unpacked, packed, nesting, vertices).allMatch(each -> each > 0)) {
            throw new IllegalArgumentException(
                    "each limit of the autoscaler's state must be 1 or more");
        }
        if (packed > MOST_PACKED) {
            throw new IllegalArgumentException(
                    "%s=%d is more than the %d that a ConfigMap holds"
                            .formatted(
                                    ClientOptions.STATE_MAX_PACKED_SIZE.key(),
                                    packed,
                                    MOST_PACKED));
        }
    }

    /**
     * Reads the limits from options.
     *
     * @throws IllegalArgumentException if a limit can't be used
     */
    public static StateLimits of(Options options) {
        return new StateLimits(
                Math.toIntExact(options.get(ClientOptions.STATE_MAX_SIZE).bytes()),
                Math.toIntExact(options.get(ClientOptions.STATE_MAX_PACKED_SIZE).bytes()),
                options.get(ClientOptions.STATE_MAX_DEPTH),
                options.get(ClientOptions.MAX_VERTICES));
    }
}
