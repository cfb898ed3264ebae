// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SafeTextTest {
    @Test
    void whatATerminalShowsStaysAsItIs() {
        assertThat(SafeText.line("  kubectl get flinkdep 'ä b' → ok 𝄞"))
                .isEqualTo("  kubectl get flinkdep 'ä b' → ok 𝄞");
    }

    @Test
    void whatSteersATerminalIsEscaped() {
        assertThat(SafeText.line("a\u001b[2Jb\u0007\u009b31m\u202ec\u2028d\u200be\ud800"))
                .isEqualTo("a\\u{1b}[2Jb\\u{7}\\u{9b}31m\\u{202e}c\\u{2028}d\\u{200b}e\\u{d800}");
    }

    @Test
    void linesBecomeOne() {
        assertThat(SafeText.line("a\r\nb\tc\nd")).isEqualTo("a  b c d");
    }

    @Test
    void aLongTextIsCutAndSaysSo() {
        assertThat(SafeText.line("x".repeat(1_000_000)))
                .hasSizeLessThan(4200)
                .endsWith("x… (995904 characters more)");
        assertThat(SafeText.line("abc", 3)).isEqualTo("abc");
    }

    @Test
    void aFailureWithoutAMessageIsNamed() {
        assertThat(SafeText.message(new IllegalStateException()))
                .isEqualTo("java.lang.IllegalStateException");
    }
}
