// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import io.sluice.cli.document.Document;
import java.util.List;

/**
 * What was found about all files.
 *
 * @param results one for each resource of ours, in the order of the files
 * @param foreign how many documents are of other kinds, and were passed over
 */
public record LintReport(List<LintResult> results, int foreign) {
    public LintReport {
        results = List.copyOf(results);
    }

    /** Whether the API server would accept every resource. */
    public boolean isValid() {
        return results.stream().allMatch(LintResult::isValid);
    }

    /** The resources of ours, in the order of the files. */
    public List<Document> documents() {
        return results.stream().map(LintResult::document).toList();
    }

    boolean hasWarnings() {
        return results.stream().anyMatch(LintResult::hasWarnings);
    }
}
