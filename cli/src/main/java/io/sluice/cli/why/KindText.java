// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import java.util.List;

/**
 * What is particular to a kind.
 *
 * @param sentences about its state; texts of the status in them are as they are stored
 * @param ofApache what a status without conditions comes to
 */
record KindText(List<String> sentences, Verdict ofApache) {
    KindText {
        sentences = List.copyOf(sentences);
    }
}
