// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.json.Fields;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.document.Document;
import io.sluice.cli.schema.SchemaReview;
import io.sluice.rules.Reviewer;
import io.sluice.rules.canary.CanaryResources;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.option.ProcessOptions;
import io.sluice.rules.review.Findings;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.SchemaRule;
import io.sluice.rules.review.Violation;
import io.sluice.rules.review.Warning;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reviews documents as the API server and the webhook do. One document may refer to another; what
 * is not there is unknown.
 */
public final class Lint {
    /** What of the chart's own configuration a rule looks at. */
    public static final DefaultConfiguration OF_CHART =
            new DefaultConfiguration(
                    new FlinkConfiguration(
                            Map.of(ProcessOptions.RECONCILE_INTERVAL.key(), "15 s")));

    /** As many as the rules report of one resource. */
    private static final int MOST = Fields.MOST_PROBLEMS;

    private static final String CANARY = "canary-configured";

    private final Reviewer reviewer;
    private final CanaryResources canaries;
    private final String namespace;

    /**
     * @param defaults the operator's configuration
     * @param releaseNamespace where Sluice is installed
     * @param namespace of the documents that name none; empty if it is not known
     */
    public Lint(DefaultConfiguration defaults, String releaseNamespace, String namespace) {
        this.reviewer = new Reviewer(defaults);
        this.canaries = CanaryResources.of(defaults, releaseNamespace);
        this.namespace = namespace;
    }

    /** One result for each resource of ours; other documents are counted. */
    public LintReport review(List<Document> documents) {
        Lookup lookup = lookup(documents);
        List<LintResult> results = new ArrayList<>();
        int foreign = 0;
        for (Document document : documents) {
            switch (Subject.of(document)) {
                case Subject.Resource(var kind) ->
                        results.add(new LintResult(document, review(kind, document, lookup)));
                case Subject.Misnamed(var why) ->
                        results.add(
                                new LintResult(document, new Findings(List.of(why), List.of())));
                case Subject.Foreign _ -> foreign++;
            }
        }
        return new LintReport(results, foreign);
    }

    private Findings review(ResourceKind kind, Document document, Lookup lookup) {
        Findings ofRules = ofRules(kind, document, lookup);
        Set<String> reported =
                ofRules.problems().stream()
                        .map(violation -> violation.problem().path())
                        .collect(Collectors.toSet());
        Stream<Violation> ofServer =
                Stream.concat(
                                duplicates(document),
                                SchemaReview.of(kind, document.content()).stream())
                        .filter(violation -> !reported.contains(violation.problem().path()));
        return new Findings(
                Stream.concat(ofServer, ofRules.problems().stream()).limit(MOST).toList(),
                ofRules.warnings());
    }

    private static Stream<Violation> duplicates(Document document) {
        return document.duplicates().stream()
                .map(
                        path ->
                                new Violation(
                                        SchemaRule.DUPLICATE_FIELD.id(),
                                        new FieldProblem(
                                                path,
                                                "",
                                                "is there more than once; keep one of them")));
    }

    /** The webhook's part. It passes over canaries, of which the CRD's own rules remain. */
    private Findings ofRules(ResourceKind kind, Document document, Lookup lookup) {
        String home = namespace(document);
        Findings findings =
                reviewer.review(
                        new ReviewRequest(kind, home, document.name(), document.content()), lookup);
        Map<String, String> labels = labels(document);
        boolean isCanary =
                CanaryResources.isLabelled(labels)
                        && (home.isEmpty() || canaries.contains(home, document.name(), labels));
        if (isCanary) {
            Set<String> cel = SchemaReview.celRules(kind, document.content());
            return new Findings(
                    findings.problems().stream().filter(each -> cel.contains(each.rule())).toList(),
                    home.isEmpty() ? List.of(canaryAnywhere()) : List.of());
        }
        return new Findings(
                Stream.concat(
                                findings.problems().stream(),
                                canaries.problem(home, document.name(), labels).stream()
                                        .map(problem -> new Violation(CANARY, problem)))
                        .toList(),
                findings.warnings());
    }

    private Warning canaryAnywhere() {
        return new Warning(
                CANARY,
                "metadata.labels[" + CanaryResources.LABEL + "]",
                "is for canaries, which may be in "
                        + canaries.places().stream().sorted().collect(Collectors.joining(", "))
                        + " only; name the namespace");
    }

    private static Map<String, String> labels(Document document) {
        Map<String, String> labels = new HashMap<>();
        document.content()
                .at("/metadata/labels")
                .propertyStream()
                .forEach(each -> labels.put(each.getKey(), each.getValue().asText("")));
        return labels;
    }

    private String namespace(Document document) {
        return document.namespace().isEmpty() ? namespace : document.namespace();
    }

    private Lookup lookup(List<Document> documents) {
        Map<Named, Document> byName = new HashMap<>();
        for (Document document : documents) {
            if (Subject.of(document) instanceof Subject.Resource(var kind)) {
                byName.putIfAbsent(new Named(kind, namespace(document), document.name()), document);
            }
        }
        return (kind, home, name) ->
                Optional.ofNullable(byName.get(new Named(kind, home, name)))
                        .<Lookup.Answer>map(each -> new Lookup.Found(each.content()))
                        .orElseGet(Lookup.Unknown::new);
    }

    private record Named(ResourceKind kind, String namespace, String name) {}
}
