// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class VersionTest {
    @Test
    void withoutALauncherOfAReleaseTheVersionIsThatOfNone() {
        // Given
        var out = new StringWriter();
        // When
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(out, true), "--version");
        // Then
        assertThat(code).isZero();
        assertThat(out).hasToString("sluice from a checkout" + System.lineSeparator());
    }
}
