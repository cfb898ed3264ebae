// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.readiness;

import io.sluice.process.ConfigurationPolling;
import io.sluice.process.LiveConfiguration;
import java.util.Optional;

/**
 * Reads the operator's default configuration, and reads it again as that configuration asks for.
 */
public final class ConfigurationFiles implements Part {
    private final LiveConfiguration live;
    private final ConfigurationPolling following;

    public ConfigurationFiles(LiveConfiguration live) {
        this.live = live;
        following = new ConfigurationPolling(live);
    }

    /** The first look is over when this returns. */
    public void start() {
        following.start();
    }

    /** Empty once a configuration has been read, be the files good or bad by now. */
    @Override
    public Optional<String> missing() {
        return live.isRead()
                ? Optional.empty()
                : Optional.of("configuration: " + live.flaw().orElse("nothing is read yet"));
    }

    @Override
    public void close() {
        following.close();
    }
}
