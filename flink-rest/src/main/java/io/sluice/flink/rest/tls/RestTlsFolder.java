// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The stores of a mounted Secret, as cert-manager writes them and Flink reads them: {@code
 * truststore.p12} or {@code .jks}, {@code keystore.p12} or {@code .jks} if JobManagers ask for a
 * certificate, and their common {@code password}. They are read again within ten seconds after a
 * change. While new ones cannot be read, the former ones stay in use.
 */
final class RestTlsFolder implements RestTls {
    private static final Duration LOOK = Duration.ofSeconds(10);
    private static final String PASSWORD = "password";

    private final Path folder;
    private final boolean verifiesHosts;
    private final Duration look;
    private final Consumer<String> warnings;
    private Optional<Seen> seen = Optional.empty();

    /** The content of the folder when it was last read, and what came of it. */
    private record Seen(long nanos, List<Stamp> stamps, Result result) {}

    /** A file, and what tells that it is another one. */
    private record Stamp(Path file, long size, long modifiedMillis) {}

    private sealed interface Result {
        record Usable(Terms terms) implements Result {}

        record Unusable(String why) implements Result {}
    }

    RestTlsFolder(Path folder, boolean verifiesHosts, Consumer<String> warnings) {
        this(folder, verifiesHosts, LOOK, warnings);
    }

    /**
     * @param look how long what was found is taken for what is there
     */
    RestTlsFolder(Path folder, boolean verifiesHosts, Duration look, Consumer<String> warnings) {
        this.folder = folder;
        this.verifiesHosts = verifiesHosts;
        this.look = look;
        this.warnings = warnings;
    }

    @Override
    public synchronized Terms terms() throws IOException {
        long now = System.nanoTime();
        if (seen.filter(it -> now - it.nanos() < look.toNanos()).isEmpty()) {
            seen = Optional.of(seen(now));
        }
        return switch (seen.orElseThrow().result()) {
            case Result.Usable(var terms) -> terms;
            case Result.Unusable(var why) -> throw new IOException(why);
        };
    }

    private Seen seen(long now) {
        List<Stamp> stamps;
        try {
            stamps = stamps();
        } catch (IOException unreadable) {
            return new Seen(now, List.of(), instead(folder + " cannot be read", unreadable));
        }
        return seen.filter(it -> it.stamps().equals(stamps))
                .map(it -> new Seen(now, stamps, it.result()))
                .orElseGet(() -> new Seen(now, stamps, read()));
    }

    private List<Stamp> stamps() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile)
                    .sorted()
                    .map(
                            file ->
                                    new Stamp(
                                            file,
                                            file.toFile().length(),
                                            file.toFile().lastModified()))
                    .toList();
        }
    }

    private Result read() {
        try {
            char[] password =
                    Files.readString(folder.resolve(PASSWORD)).stripTrailing().toCharArray();
            var context = SSLContext.getInstance("TLS");
            context.init(shown(password), trusted(password), null);
            return new Result.Usable(new Terms(context, verifiesHosts));
        } catch (IOException | GeneralSecurityException unreadable) {
            return instead("certificates for JobManagers cannot be read", unreadable);
        }
    }

    /** The former ones, if there were any. */
    private Result instead(String what, Exception why) {
        String told = what + ": " + why.getMessage();
        return seen.map(Seen::result)
                .filter(Result.Usable.class::isInstance)
                .map(
                        former -> {
                            warnings.accept(told + "; the former ones stay in use");
                            return former;
                        })
                .orElseGet(() -> new Result.Unusable(told));
    }

    private KeyManager[] shown(char[] password) throws IOException, GeneralSecurityException {
        Optional<Path> file = store("keystore");
        if (file.isEmpty()) {
            return new KeyManager[0];
        }
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(opened(file.get(), password), password);
        return keys.getKeyManagers();
    }

    private TrustManager[] trusted(char[] password) throws IOException, GeneralSecurityException {
        Path file =
                store("truststore")
                        .orElseThrow(
                                () ->
                                        new IOException(
                                                "there is no truststore.p12 or truststore.jks; put"
                                                        + " one into the Secret"));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(opened(file, password));
        return Stream.of(trust.getTrustManagers())
                .map(
                        each ->
                                !verifiesHosts && each instanceof X509ExtendedTrustManager trusting
                                        ? new AnyHost(trusting)
                                        : each)
                .toArray(TrustManager[]::new);
    }

    private Optional<Path> store(String name) {
        return Stream.of(".p12", ".jks")
                .map(end -> folder.resolve(name + end))
                .filter(Files::isRegularFile)
                .findFirst();
    }

    /** The JDK finds out by itself which of both forms a file has. */
    private static KeyStore opened(Path file, char[] password) throws IOException {
        try {
            return KeyStore.getInstance(file.toFile(), password);
        } catch (IOException | GeneralSecurityException unreadable) {
            throw new IOException(file.getFileName() + ": " + unreadable.getMessage(), unreadable);
        }
    }
}
