// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import io.sluice.rules.config.ConfigurationReview;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
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

    private final Optional<Path> folder;
    private final Consumer<DefaultConfiguration> changed;
    private final Consumer<String> refused;
    private volatile Optional<DefaultConfiguration> good;
    private volatile Optional<String> flaw = Optional.empty();

    /** Thrown with one line for people. */
    public static final class Unusable extends RuntimeException {
        Unusable(String message) {
            super(message);
        }
    }

    private LiveConfiguration(
            Optional<Path> folder,
            Optional<DefaultConfiguration> good,
            Consumer<DefaultConfiguration> changed,
            Consumer<String> refused) {
        this.folder = folder;
        this.good = good;
        this.changed = changed;
        this.refused = refused;
    }

    /**
     * Of a process that can't begin without one.
     *
     * @param folder empty for a configuration without entries
     * @param changed is handed each new configuration, but not the first, once it is in use
     * @param refused is handed, once, what is wrong with one that is not used
     * @throws Unusable if the first can't be used
     */
    public static LiveConfiguration start(
            Optional<Path> folder,
            Consumer<DefaultConfiguration> changed,
            Consumer<String> refused) {
        DefaultConfiguration first = read(folder);
        review(first);
        return new LiveConfiguration(folder, Optional.of(first), changed, refused);
    }

    /**
     * Of a process that can wait for its first: it is there after a {@link #look} that finds it.
     *
     * @param changed is handed each configuration once it is in use
     */
    public static LiveConfiguration awaited(
            Optional<Path> folder, Consumer<DefaultConfiguration> changed) {
        return new LiveConfiguration(folder, Optional.empty(), changed, _ -> {});
    }

    /**
     * @throws IllegalStateException as long as none was read
     */
    @Override
    public DefaultConfiguration get() {
        return good.orElseThrow(() -> new IllegalStateException("no configuration was read yet"));
    }

    public boolean isRead() {
        return good.isPresent();
    }

    /** Whether the files can be used as they are now. */
    public boolean isGood() {
        return isRead() && flaw.isEmpty();
    }

    /** What is wrong with the files, in one line; empty if nothing is known to be. */
    public Optional<String> flaw() {
        return flaw;
    }

    /** One look at the files; never throws. */
    public void look() {
        try {
            DefaultConfiguration read = read(folder);
            if (!good.equals(Optional.of(read))) {
                review(read);
                use(read);
            }
            flaw = Optional.empty();
        } catch (Unusable unusable) {
            String text = String.valueOf(unusable.getMessage());
            if (!flaw.equals(Optional.of(text))) {
                flaw = Optional.of(text);
                LOG.atError()
                        .addKeyValue(
                                "inUse", good.map(DefaultConfiguration::fingerprint).orElse(""))
                        .log("the configuration's files can't be used: {}", text);
                refused.accept(text);
            }
        }
    }

    private void use(DefaultConfiguration read) {
        good = Optional.of(read);
        LOG.atInfo()
                .addKeyValue("fingerprint", read.fingerprint())
                .addKeyValue("entries", read.base().entries().size())
                .log("a new configuration is in use");
        changed.accept(read);
    }

    private static DefaultConfiguration read(Optional<Path> folder) {
        try {
            return folder.map(DefaultConfiguration::load).orElse(DefaultConfiguration.NONE);
        } catch (IllegalArgumentException | UncheckedIOException wrong) {
            throw new Unusable(oneLine(wrong));
        } catch (RuntimeException fault) {
            throw new Unusable(fault.getClass().getSimpleName() + " while reading it");
        }
    }

    /** Tells what is odd about it; throws if it can't be used. */
    private static void review(DefaultConfiguration read) {
        ConfigurationReview review = ConfigurationReview.of(read);
        if (!review.errors().isEmpty()) {
            throw new Unusable(String.join("; ", review.errors()));
        }
        review.warnings().forEach(LOG::warn);
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
