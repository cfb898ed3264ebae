// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.sluice.rules.config.ConfigurationReview;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator's default configuration, read again and again from its folder. What can't be read is
 * told in one line, once; the last good one stays in use.
 */
final class ConfigurationFiles implements Part {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationFiles.class);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Optional<Path> folder;
    private final Consumer<DefaultConfiguration> use;
    private final WebhookMetrics metrics;
    private final Loop loop = new Loop("configuration", this::pass, () -> PAUSE);
    private volatile Optional<DefaultConfiguration> good = Optional.empty();
    private volatile Optional<String> flaw = Optional.of("nothing is read yet");

    ConfigurationFiles(
            Optional<Path> folder, Consumer<DefaultConfiguration> use, WebhookMetrics metrics) {
        this.folder = folder;
        this.use = use;
        this.metrics = metrics;
    }

    /** The first look is over when this returns. */
    void start() {
        pass();
        if (folder.isPresent()) {
            loop.start();
        }
    }

    /** Empty once a configuration has been read, be the files good or bad by now. */
    @Override
    public Optional<String> missing() {
        return good.isPresent() ? Optional.empty() : flaw.map(text -> "configuration: " + text);
    }

    @Override
    public void close() {
        loop.close();
    }

    /** One look; never throws. */
    void pass() {
        Optional<String> before = flaw;
        try {
            accept(folder.map(DefaultConfiguration::load).orElse(DefaultConfiguration.NONE));
            flaw = Optional.empty();
        } catch (IllegalArgumentException | UncheckedIOException wrong) {
            flaw = Optional.of(oneLine(wrong));
        } catch (RuntimeException fault) {
            flaw = Optional.of(fault.getClass().getSimpleName() + " while reading it");
        }
        metrics.configurationIsGood(flaw.isEmpty());
        flaw.filter(text -> !before.equals(Optional.of(text)))
                .ifPresent(
                        text ->
                                LOG.atWarn()
                                        .addKeyValue("ready", good.isPresent())
                                        .log("cannot use the configuration: {}", text));
    }

    private void accept(DefaultConfiguration read) {
        if (good.equals(Optional.of(read))) {
            return;
        }
        List<String> errors = ConfigurationReview.of(read).errors();
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", errors));
        }
        use.accept(read);
        metrics.uses(read.fingerprint());
        LOG.atInfo()
                .addKeyValue("entries", read.base().entries().size())
                .log(good.isPresent() ? "read a new configuration" : "read the configuration");
        good = Optional.of(read);
    }

    private static String oneLine(RuntimeException wrong) {
        String cause =
                Optional.ofNullable(wrong.getCause())
                        .filter(IOException.class::isInstance)
                        .map(each -> " (" + each.getClass().getSimpleName() + ")")
                        .orElse("");
        return (wrong.getMessage() + cause).replaceAll("\\s+", " ");
    }
}
