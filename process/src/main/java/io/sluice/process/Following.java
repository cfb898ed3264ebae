// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import io.sluice.rules.config.Options;
import java.time.Duration;

/**
 * Looks at a configuration's files now and again, as often as the one in use says. Whether at all
 * is said by the first that is in use; until there is one, it is looked for often.
 */
public final class Following implements AutoCloseable {
    private static final Duration UNTIL_THERE = Duration.ofSeconds(5);
    private static final Duration USUAL = Duration.ofMinutes(5);

    /** What would not be waited for at all counts as not set, and this is as good as never. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private static final Duration LONGEST = Duration.ofDays(3650);

    private final LiveConfiguration configuration;
    private final Duration untilThere;
    private final Loop loop;

    public Following(LiveConfiguration configuration) {
        this(configuration, UNTIL_THERE);
    }

    Following(LiveConfiguration configuration, Duration untilThere) {
        this.configuration = configuration;
        this.untilThere = untilThere;
        loop = new Loop("configuration", this::pass, this::pause);
    }

    /** If the first is not there yet, a look for it is over when this returns. */
    public void start() {
        if (!configuration.isRead()) {
            configuration.look();
        }
        if (!configuration.isRead() || isWanted()) {
            loop.start();
        }
    }

    @Override
    public void close() {
        loop.close();
    }

    private void pass() {
        boolean wasThere = configuration.isRead();
        configuration.look();
        if (!wasThere && configuration.isRead() && !isWanted()) {
            loop.close();
        }
    }

    private boolean isWanted() {
        return options().flag("kubernetes.operator.dynamic.config.enabled", true);
    }

    /** From now to the next look. */
    Duration pause() {
        if (!configuration.isRead()) {
            return untilThere;
        }
        Duration asked =
                options()
                        .duration("kubernetes.operator.dynamic.config.check.interval")
                        .filter(pause -> pause.compareTo(SHORTEST) >= 0)
                        .orElse(USUAL);
        return asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
    }

    private Options options() {
        return new Options(configuration.get().own());
    }
}
