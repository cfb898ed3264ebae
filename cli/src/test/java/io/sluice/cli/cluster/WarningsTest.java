// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.cluster;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarningsTest {
    @Test
    void aWarningIsItsTextWithoutCodeAndAgent() {
        assertThat(Warnings.texts("299 - \"spec.savepoint: goes to 's3://b'\""))
                .containsExactly("spec.savepoint: goes to 's3://b'");
    }

    @Test
    void quotesAndBackslashesInItAreThoseOfTheText() {
        assertThat(Warnings.texts("299 - \"says \\\"no\\\" to C:\\\\a\""))
                .containsExactly("says \"no\" to C:\\a");
    }

    @Test
    void oneHeaderMayHaveSeveral() {
        assertThat(Warnings.texts("299 - \"one, with a comma\", 299 - \"two\""))
                .containsExactly("one, with a comma", "two");
    }

    @Test
    void lettersBeyondAsciiAreReadAsKubernetesWritesThem() {
        String header = new String("299 - \"Größe …\"".getBytes(UTF_8), ISO_8859_1);

        assertThat(Warnings.texts(header)).containsExactly("Größe …");
    }

    @Test
    void aHeaderOfAnotherKindIsNoWarning() {
        assertThat(Warnings.texts("110 proxy \"Response is stale\"")).isEmpty();
    }
}
