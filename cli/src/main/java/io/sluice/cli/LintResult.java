// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.rules.review.Findings;

/** What was found about one resource. */
record LintResult(Document document, Findings findings) {
    boolean isValid() {
        return findings.isAcceptable();
    }
}
