// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ScanTest {
    private static final Coordinates OLD = new Coordinates("com.example", "library", "1.9");
    private static final Coordinates NEW = new Coordinates("com.example", "library", "2.0");

    @TempDir Path folder;

    @Test
    void anAffectedVersionIsFoundThatIsSaidToBeUpgraded() throws IOException {
        assertThat(Scan.findings("webhook", List.of(OLD), advisories("verdict: upgraded")))
                .singleElement()
                .asString()
                .contains("webhook ships com.example:library 1.9", "CVE-1", "said to be upgraded");
    }

    @Test
    void anAffectedVersionIsFoundThatIsSaidToBeExcluded() throws IOException {
        assertThat(Scan.findings("webhook", List.of(OLD), advisories("verdict: excluded")))
                .hasSize(1);
    }

    @Test
    void aFixedVersionIsNoFinding() throws IOException {
        assertThat(Scan.findings("webhook", List.of(NEW), advisories("verdict: upgraded")))
                .isEmpty();
    }

    @Test
    void anArgumentHoldsForTheImagesItNamesOnly() throws IOException {
        List<Advisory> argued =
                advisories(
                        """
                        verdict: not-reachable
                          images: [operator]
                          because: it is not called\
                        """);

        assertThat(Scan.findings("operator", List.of(OLD), argued)).isEmpty();
        assertThat(Scan.findings("webhook", List.of(OLD), argued)).hasSize(1);
    }

    @Test
    void anArgumentWithoutAReasonIsRefused() {
        assertThatThrownBy(() -> advisories("verdict: not-reachable\n  images: [operator]"))
                .hasMessageContaining("CVE-1 has no because");
    }

    @Test
    void aVerdictThatDoesNotExistIsRefused() {
        assertThatThrownBy(() -> advisories("verdict: ignored"))
                .hasMessageContaining("verdict \"ignored\" is none of");
    }

    @Test
    void theProjectsOwnListCanBeRead() {
        assertThat(Advisories.read(Path.of("known-vulnerabilities.yaml"))).isNotEmpty();
    }

    private List<Advisory> advisories(String verdict) throws IOException {
        return Advisories.read(
                Files.writeString(
                        folder.resolve("list.yaml"),
                        """
                        - id: CVE-1
                          components: ["com.example:library"]
                          affected: "[,2.0)"
                          summary: it breaks
                          %s
                        """
                                .formatted(verdict)));
    }
}
