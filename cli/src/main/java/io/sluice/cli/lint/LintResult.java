// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import io.sluice.cli.document.Document;
import io.sluice.rules.review.Findings;

/** What was found about one resource. */
public record LintResult(Document document, Findings findings) {
    boolean isValid() {
        return findings.isAcceptable();
    }

    boolean hasWarnings() {
        return !findings.warnings().isEmpty();
    }
}
