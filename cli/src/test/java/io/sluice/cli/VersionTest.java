// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class VersionTest {
    @Test
    void tellsThatItRunsFromACheckout() {
        var out = new StringWriter();

        int code = Main.run(new PrintWriter(out, true), new PrintWriter(out, true), "--version");

        assertThat(code).isZero();
        assertThat(out).hasToString("sluice from a checkout" + System.lineSeparator());
    }
}
