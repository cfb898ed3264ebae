// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;

/**
 * A folder with the stores of somebody who uses TLS.
 *
 * @param folder that has them, under the names that cert-manager gives in a Secret
 */
record Stores(Path folder) {
    private static final char[] PASSWORD = "not-a-secret".toCharArray();
    private static final String ALIAS = "own";

    /** A folder with a password alone. */
    static Stores in(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("password"), String.valueOf(PASSWORD) + "\n");
        return new Stores(folder);
    }

    /** Has keytool make a key, and a certificate for {@code host} that signs itself. */
    Stores identified(String host) throws IOException, InterruptedException {
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-keystore",
                                keystore().toString(),
                                "-storepass",
                                String.valueOf(PASSWORD),
                                "-alias",
                                ALIAS,
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=" + folder.getFileName(),
                                "-ext",
                                "SAN=dns:" + host)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        return this;
    }

    /** Trusting these, and nobody else. */
    Stores trusting(Stores... others) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, PASSWORD);
        for (Stores other : List.of(others)) {
            KeyStore theirs = KeyStore.getInstance(other.keystore().toFile(), PASSWORD);
            trusted.setCertificateEntry(
                    other.folder().getFileName().toString(), theirs.getCertificate(ALIAS));
        }
        try (OutputStream file = Files.newOutputStream(truststore())) {
            trusted.store(file, PASSWORD);
        }
        return this;
    }

    /** Copies the key and the certificate of {@code other}. */
    Stores showing(Stores other) throws IOException {
        Files.copy(other.keystore(), keystore());
        return this;
    }

    Path keystore() {
        return folder.resolve("keystore.p12");
    }

    Path truststore() {
        return folder.resolve("truststore.p12");
    }

    Path password() {
        return folder.resolve("password");
    }
}
