// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.certs.CertMaterial;
import io.sluice.webhook.TestCertificates;
import io.sluice.webhook.metric.WebhookMetrics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertFilesTest {
    private static final CertMaterial FIRST = TestCertificates.issue();
    private static final CertMaterial SECOND = TestCertificates.issue();

    private final TlsIdentity tls = new TlsIdentity(TlsIdentity.Versions.TLS_1_3);
    private Instant now = FIRST.leaf().getNotBefore().toInstant().plusSeconds(600);

    @TempDir private Path folder;
    private CertFiles files;

    @BeforeEach
    void look() {
        files = new CertFiles(folder, tls, new WebhookMetrics(), () -> now);
    }

    @Test
    void saysWhatIsMissingUntilItIsThere() throws Exception {
        files.pass();
        assertThat(files.missing())
                .hasValueSatisfying(
                        line ->
                                assertThat(line)
                                        .contains("mount a Secret with tls.crt and tls.key"));

        write(FIRST);
        files.pass();
        assertThat(files.missing()).isEmpty();
        assertThat(tls.leaf()).contains(FIRST.leaf());
    }

    @Test
    void takesUpARenewedCertificate() throws Exception {
        write(FIRST);
        files.pass();
        write(SECOND);
        files.pass();
        assertThat(tls.leaf()).contains(SECOND.leaf());
    }

    @Test
    void keepsTheFormerWhileTheNewOneCannotBeUsed() throws Exception {
        write(FIRST);
        files.pass();
        Files.writeString(
                folder.resolve("tls.key"), pem("PRIVATE KEY", SECOND.leafKey().getEncoded()));
        files.pass();
        assertThat(tls.leaf()).contains(FIRST.leaf());
        assertThat(files.missing()).isEmpty();
    }

    @Test
    void refusesAKeyOfAnotherCertificate() throws Exception {
        write(FIRST);
        Files.writeString(
                folder.resolve("tls.key"), pem("PRIVATE KEY", SECOND.leafKey().getEncoded()));
        files.pass();
        assertThat(files.missing())
                .hasValueSatisfying(
                        line ->
                                assertThat(line)
                                        .contains("tls.key belongs to another certificate"));
    }

    @Test
    void isNotReadyWithWhatHasExpired() throws Exception {
        write(FIRST);
        files.pass();
        now = now.plus(Duration.ofDays(100));
        assertThat(files.missing())
                .hasValueSatisfying(line -> assertThat(line).contains("has expired"));
    }

    private void write(CertMaterial material) throws Exception {
        Files.writeString(
                folder.resolve("tls.crt"), pem("CERTIFICATE", material.leaf().getEncoded()));
        Files.writeString(
                folder.resolve("tls.key"), pem("PRIVATE KEY", material.leafKey().getEncoded()));
    }

    private static String pem(String type, byte[] content) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(type, Base64.getMimeEncoder().encodeToString(content), type);
    }
}
