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

    /** What the reference says of it; its check is that of a FlinkDeployment. */
    public static final List<Rule<?>> ALL =
            List.of(
                    new Rule<Object>(
                            ID,
                            BlueGreenTemplate.SPEC_PATH,
                            "Its FlinkDeployments would be refused: every rule of a FlinkDeployment"
                                    + " holds for the template too, and the name has to leave room"
                                    + " for "
                                    + SUFFIX
                                    + ".",
                            _ -> List.of()));

    private static final RuleSet<DeploymentReview> CHECK =
            new RuleSet<>(
                    List.of(
                            new Rule<>(
                                    ID,
                                    BlueGreenTemplate.SPEC_PATH,
                                    "",
                                    BlueGreenRules::template)));

    private BlueGreenRules() {}

    public static Findings review(ReviewRequest request, DefaultConfiguration defaults) {
        var parsed = FlinkBlueGreenDeploymentSpec.parse(request.resource().path("spec"), "spec");
        DeploymentReview child =
                child(
                        request,
                        parsed.value().template().spec(),
                        SpecSize.of(request.resource().at("/spec/template/spec"), "spec"),
                        defaults);
        return new Findings(
                CHECK.check(new Parsed<>(child, parsed.problems())), advice(request, child));
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
                defaults);
    }

    private static List<Warning> advice(ReviewRequest request, DeploymentReview child) {
        Stream<Warning> effect =
                DeploymentReview.lastReconciled(
                        request.resource().path("status").path("lastReconciledSpec"))
                        .map(spec -> FlinkBlueGreenDeploymentSpec.parse(spec, "spec").value())
                        .flatMap(old -> EditEffect.ofPair(old.template().spec(), child.spec()))
                        .stream();
        Stream<Warning> odd =
                Advice.ofTemplate(child).stream()
                        .map(
                                warning ->
                                        new Warning(
                                                warning.id(),
                                                below(warning.path()),
                                                below(warning.message())));
        return Stream.concat(effect, odd).toList();
    }

    private static List<FieldProblem> template(DeploymentReview child) {
        return DeploymentRules.check(new Parsed<>(child, List.of())).stream()
                .map(BlueGreenRules::inTemplate)
                .toList();
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

    /** What names a field of a FlinkDeployment, naming it in the template. */
    private static String below(String text) {
        return SPEC.matcher(text).replaceAll(BlueGreenTemplate.SPEC_PATH + ".");
    }
}
