// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.rules.Reviewer;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import java.util.List;

/** Reviews documents among themselves: one may refer to another; what is not there is unknown. */
final class Lint {
    private Lint() {}

    /** One result for each resource of ours; other documents are passed over. */
    static List<LintResult> of(List<Document> documents, DefaultConfiguration defaults) {
        var reviewer = new Reviewer(defaults);
        Lookup lookup = lookup(documents);
        return documents.stream()
                .flatMap(
                        document ->
                                document.resourceKind().stream()
                                        .map(
                                                kind ->
                                                        new LintResult(
                                                                document,
                                                                reviewer.review(
                                                                        ReviewRequest.of(
                                                                                kind,
                                                                                document.content()),
                                                                        lookup))))
                .toList();
    }

    private static Lookup lookup(List<Document> documents) {
        return (kind, namespace, name) ->
                documents.stream()
                        .filter(each -> each.resourceKind().filter(kind::equals).isPresent())
                        .filter(each -> each.name().equals(name))
                        .filter(each -> each.namespace().equals(namespace))
                        .findFirst()
                        .<Lookup.Answer>map(each -> new Lookup.Found(each.content()))
                        .orElseGet(Lookup.Unknown::new);
    }
}
