// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import io.sluice.rules.config.option.ArtifactOptions;
import io.sluice.rules.jar.JarUri;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Fetches jars from the web, through a cache on disk. */
public final class WebArtifacts implements Artifacts {
    private static final ScheduledExecutorService WATCHDOG = watchdog();

    private final ArtifactCache cache;
    private final InstantSource uptime;

    /**
     * @param uptime a clock that only goes forward
     */
    public WebArtifacts(ArtifactCache cache, InstantSource uptime) {
        this.cache = cache;
        this.uptime = uptime;
    }

    @Override
    public Fetched fetch(JarSource source) {
        if (source.uri().isEmpty()) {
            return orRefused(source, () -> empty(source));
        }
        String uri = source.uri().get();
        Optional<String> objection = source.policy().objection(uri);
        if (objection.isPresent()) {
            return refused(source, objection.get());
        }
        if (source.pin().isEmpty() && uri.contains("#")) {
            return refused(
                    source,
                    "ends in something else than a pin; write #sha256= and 64 hexadecimal digits");
        }
        return orRefused(
                source,
                () ->
                        source.pin()
                                .flatMap(cache.in(source.namespace())::find)
                                .<Fetched>map(Fetched.Here::new)
                                .orElseGet(() -> download(source)));
    }

    private static ScheduledExecutorService watchdog() {
        var watchdog =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("downloads").factory());
        watchdog.setRemoveOnCancelPolicy(true);
        return watchdog;
    }

    private Fetched empty(JarSource source) {
        try {
            return new Fetched.Here(cache.in(source.namespace()).emptyJar());
        } catch (LimitReached reached) {
            return reached(source, reached);
        } catch (IOException disk) {
            throw new UncheckedIOException(disk);
        }
    }

    private Fetched download(JarSource source) {
        try (Download download =
                new Download(source, cache.in(source.namespace()), uptime, WATCHDOG)) {
            return download.run();
        } catch (LimitReached reached) {
            return reached(source, reached);
        } catch (Download.Refusal refusal) {
            return refused(source, why(refusal));
        } catch (IOException fault) {
            return refused(source, "could not be fetched: " + why(fault));
        }
    }

    private static String why(IOException fault) {
        return Optional.ofNullable(fault.getMessage()).orElse(fault.getClass().getSimpleName());
    }

    private static Fetched reached(JarSource source, LimitReached reached) {
        return new Fetched.Refused(Optional.of(reached.limit()), message(source, why(reached)));
    }

    private static Fetched refused(JarSource source, String what) {
        return new Fetched.Refused(message(source, what));
    }

    private static String message(JarSource source, String what) {
        return "spec.job.jarURI: '%s' %s".formatted(JarUri.shown(source.uri().orElse("")), what);
    }

    /** A disk that is full or not there is an answer too. */
    private static Fetched orRefused(JarSource source, java.util.function.Supplier<Fetched> fetch) {
        try {
            return fetch.get();
        } catch (UncheckedIOException disk) {
            return refused(
                    source,
                    "could not be kept below "
                            + ArtifactOptions.BASE_DIR.key()
                            + ": "
                            + disk.getMessage());
        }
    }
}
