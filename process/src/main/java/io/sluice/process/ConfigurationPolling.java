// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ProcessOptions;
import java.time.Duration;

/**
 * Looks at a configuration's files now and again, as often as the one in use says. Whether at all
 * is said by the first that is in use; until there is one, it is looked for often.
 */
public final class ConfigurationPolling implements AutoCloseable {
    private static final Duration UNTIL_THERE = Duration.ofSeconds(5);

    /** This is as good as never. */
    private static final Duration LONGEST = Duration.ofDays(3650);

    private final LiveConfiguration configuration;
    private final Duration untilThere;
    private final Loop loop;

    public ConfigurationPolling(LiveConfiguration configuration) {
        this(configuration, UNTIL_THERE);
    }

    ConfigurationPolling(LiveConfiguration configuration, Duration untilThere) {
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
        return options().get(ProcessOptions.DYNAMIC_CONFIG);
    }

    /** From now to the next look. */
    Duration pause() {
        if (!configuration.isRead()) {
            return untilThere;
        }
        Duration asked = options().get(ProcessOptions.DYNAMIC_CONFIG_INTERVAL);
        return asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
    }

    private Options options() {
        return new Options(configuration.get().own());
    }
}
