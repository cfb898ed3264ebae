// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.bluegreen;

import static io.sluice.rules.review.Problems.at;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.json.Parsed;
import io.sluice.api.spec.BlueGreenTemplate;
import io.sluice.api.spec.FlinkBlueGreenDeploymentSpec;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.rules.advice.Advice;
import io.sluice.rules.advice.EditEffect;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.deployment.DeploymentReview;
import io.sluice.rules.deployment.DeploymentRules;
import io.sluice.rules.diff.PairDiff;
import io.sluice.rules.review.BackupSign;
import io.sluice.rules.review.Findings;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Rule;
import io.sluice.rules.review.RuleSet;
import io.sluice.rules.review.SpecSize;
import io.sluice.rules.review.Violation;
import io.sluice.rules.review.Warning;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The rules of a FlinkBlueGreenDeployment: those of the FlinkDeployments it will create. */
public final class BlueGreenRules {
    private static final String ID = "bluegreen-template";

    /** The longer of what the children's names end with. */
    private static final String SUFFIX = "-green";

    private static final Pattern SPEC = Pattern.compile("\\bspec\\.");

    private static final RuleSet<PairReview> CHECK =
            RuleSet.of(
                    List.of(
                            new Rule<>(
                                    ID,
                                    BlueGreenTemplate.SPEC_PATH,
                                    "Its FlinkDeployments would be refused: every rule of a"
                                            + " FlinkDeployment holds for the template too, and the"
                                            + " name has to leave room for "
                                            + SUFFIX
                                            + ".",
                                    BlueGreenRules::template)),
                    PairRules.ALL);

    /** All of these, for the reference. */
    public static final List<Rule<?>> ALL = List.copyOf(CHECK.rules());

    private static final RuleSet<PairReview> ADVICE = new RuleSet<>(PairAdvice.CHECKS);
    private static final RuleSet<PairReview> OF_ANALYSIS = new RuleSet<>(AnalysisRules.ADVICE);

    private BlueGreenRules() {}

    public static Findings review(ReviewRequest request, DefaultConfiguration defaults) {
        var read = read(request, defaults);
        return new Findings(CHECK.check(read), advice(request, read.value()));
    }

    /** The problems of {@link #review} alone. */
    public static List<Violation> problems(ReviewRequest request, DefaultConfiguration defaults) {
        return CHECK.check(read(request, defaults));
    }

    private static Parsed<PairReview> read(ReviewRequest request, DefaultConfiguration defaults) {
        var parsed = FlinkBlueGreenDeploymentSpec.parse(request.resource().path("spec"), "spec");
        DeploymentReview child =
                child(
                        request,
                        parsed.value().template().spec(),
                        SpecSize.of(request.resource().at("/spec/template/spec"), "spec"),
                        defaults);
        return new Parsed<>(new PairReview(parsed.value(), child), parsed.problems());
    }

    /** The child with the longer name, never deployed before: a change makes a new one. */
    private static DeploymentReview child(
            ReviewRequest request,
            FlinkDeploymentSpec spec,
            SpecSize size,
            DefaultConfiguration defaults) {
        return DeploymentReview.of(
                        request.namespace(),
                        request.name() + SUFFIX,
                        spec,
                        size,
                        Optional.empty(),
                        defaults)
                .withBackup(BackupSign.of(request.resource()));
    }

    /**
     * What both halves need and share is told where a transition begins. The active half may have
     * another spec than the last reconciled one, which was given up.
     */
    private static List<Warning> advice(ReviewRequest request, PairReview review) {
        DeploymentReview child = review.half();
        Optional<FlinkDeploymentSpec> active =
                Stream.of("activeSpec", "lastReconciledSpec")
                        .map(field -> request.resource().path("status").path(field))
                        .flatMap(encoded -> DeploymentReview.lastReconciled(encoded).stream())
                        .findFirst()
                        .map(spec -> FlinkBlueGreenDeploymentSpec.parse(spec, "spec").value())
                        .map(old -> old.template().spec());
        boolean isInPlace =
                active.map(old -> PairDiff.between(old, child.spec()).effect().isInPlace())
                        .orElse(false);
        Stream<Warning> effect =
                active.flatMap(old -> EditEffect.ofPair(old, child.spec())).stream();
        Stream<Warning> shared = isInPlace ? Stream.empty() : ADVICE.advise(review).stream();
        Stream<Warning> odd =
                Advice.ofTemplate(child).stream()
                        .map(
                                warning ->
                                        new Warning(
                                                warning.id(),
                                                below(warning.path()),
                                                below(warning.message())));
        Stream<Warning> analysis = OF_ANALYSIS.advise(review).stream();
        return Stream.of(effect, shared, analysis, odd).flatMap(each -> each).toList();
    }

    private static List<FieldProblem> template(PairReview review) {
        DeploymentReview child = review.half();
        Stream<FieldProblem> below =
                DeploymentRules.check(new Parsed<>(child, List.of())).stream()
                        .map(BlueGreenRules::inTemplate);
        return Stream.concat(below, ingress(review)).toList();
    }

    /** That of the pair, which has to keep to what holds for that of a FlinkDeployment. */
    private static Stream<FieldProblem> ingress(PairReview review) {
        if (review.spec().ingress().isEmpty()) {
            return Stream.empty();
        }
        DeploymentReview child = review.half();
        DeploymentReview own = child.withSpec(child.spec().withIngress(review.spec().ingress()));
        return DeploymentRules.check(new Parsed<>(own, List.of())).stream()
                .filter(violation -> violation.problem().path().startsWith("spec.ingress"))
                .map(
                        violation ->
                                new FieldProblem(
                                        violation.problem().path(),
                                        violation.problem().value(),
                                        violation.problem().message()
                                                + " ("
                                                + violation.rule()
                                                + ")"));
    }

    private static FieldProblem inTemplate(Violation violation) {
        var problem = violation.problem();
        if (problem.path().equals("metadata.name")) {
            return at(
                    problem.path(),
                    problem.value().substring(0, problem.value().length() - SUFFIX.length()),
                    "must have 1 to 39 lower-case letters, digits or '-', start with a letter and"
                            + " not end with '-': the pair's FlinkDeployments are called"
                            + " <name>-blue and <name>-green");
        }
        return new FieldProblem(
                below(problem.path()),
                problem.value(),
                below(problem.message()) + " (" + violation.rule() + ")");
    }

    /** Makes a text that names a field of a FlinkDeployment name the one in the template. */
    private static String below(String text) {
        return SPEC.matcher(text).replaceAll(BlueGreenTemplate.SPEC_PATH + ".");
    }
}
