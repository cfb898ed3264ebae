// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import io.sluice.rules.config.ConfigurationReview;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration as it is now. Its files are read again and again; what can't be used as a whole
 * changes nothing, and is told once.
 */
public final class LiveConfiguration implements Supplier<DefaultConfiguration> {
    private static final Logger LOG = LoggerFactory.getLogger(LiveConfiguration.class);

    private final Path folder;
    private final Consumer<DefaultConfiguration> changed;
    private final Consumer<String> refused;
    private volatile DefaultConfiguration good;
    private volatile Optional<String> flaw = Optional.empty();

    private LiveConfiguration(
            Path folder,
            DefaultConfiguration good,
            Consumer<DefaultConfiguration> changed,
            Consumer<String> refused) {
        this.folder = folder;
        this.good = good;
        this.changed = changed;
        this.refused = refused;
    }

    /**
     * @param changed is handed each new configuration once it is in use
     * @param refused is handed, once, what is wrong with one that is not used
     * @throws Settings.Unusable if the first can't be used
     */
    public static LiveConfiguration start(
            Path folder, Consumer<DefaultConfiguration> changed, Consumer<String> refused) {
        DefaultConfiguration first = read(folder);
        warn(ConfigurationReview.of(first).warnings());
        return new LiveConfiguration(folder, first, changed, refused);
    }

    @Override
    public DefaultConfiguration get() {
        return good;
    }

    /** Whether the files can be used as they are now. */
    public boolean isGood() {
        return flaw.isEmpty();
    }

    /** One look at the files; never throws. */
    public void look() {
        try {
            DefaultConfiguration read = read(folder);
            flaw = Optional.empty();
            if (!read.equals(good)) {
                warn(ConfigurationReview.of(read).warnings());
                good = read;
                LOG.atInfo()
                        .addKeyValue("fingerprint", read.fingerprint())
                        .log("a new configuration is in use");
                changed.accept(read);
            }
        } catch (Settings.Unusable unusable) {
            String text = String.valueOf(unusable.getMessage());
            if (!flaw.equals(Optional.of(text))) {
                flaw = Optional.of(text);
                LOG.atError()
                        .addKeyValue("fingerprint", good.fingerprint())
                        .log(
                                "the configuration's files can't be used, the one before stays: {}",
                                text);
                refused.accept(text);
            }
        }
    }

    private static DefaultConfiguration read(Path folder) {
        DefaultConfiguration read;
        try {
            read = DefaultConfiguration.load(folder);
        } catch (IllegalArgumentException | UncheckedIOException wrong) {
            throw new Settings.Unusable(String.valueOf(wrong.getMessage()));
        }
        List<String> errors = ConfigurationReview.of(read).errors();
        if (!errors.isEmpty()) {
            throw new Settings.Unusable(String.join("\n", errors));
        }
        return read;
    }

    private static void warn(List<String> warnings) {
        warnings.forEach(LOG::warn);
    }
}
