// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.sluice.process.LiveConfiguration;
import io.sluice.process.Loop;
import java.time.Duration;
import java.util.Optional;

/** The operator's default configuration, read again and again. */
final class ConfigurationFiles implements Part {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final LiveConfiguration live;
    private final Loop loop;

    ConfigurationFiles(LiveConfiguration live) {
        this.live = live;
        loop = new Loop("configuration", live::look, () -> PAUSE);
    }

    /** The first look is over when this returns. */
    void start() {
        live.look();
        loop.start();
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
        loop.close();
    }
}
