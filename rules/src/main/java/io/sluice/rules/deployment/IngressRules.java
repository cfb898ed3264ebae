// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.isBlank;
import static io.sluice.rules.review.Problems.missing;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.IngressSpec;
import io.sluice.rules.pattern.Placeholders;
import io.sluice.rules.review.Rule;
import java.util.List;
import java.util.regex.Pattern;

/** How the JobManager is reached from outside. */
final class IngressRules {
    private static final String PATH = "spec.ingress.template";
    private static final Placeholders ANY = new Placeholders("x", "x");
    private static final Pattern URL =
            Pattern.compile("(?:https?://)?[^\\s/:{}]*(?::\\d{1,5})?(?:/[^\\s{}]*)?");

    static final List<Rule<DeploymentReview>> ALL =
            List.of(
                    new Rule<>(
                            "ingress-template-required",
                            PATH,
                            "The Ingress takes its host and path from the template.",
                            IngressRules::required),
                    new Rule<>(
                            "ingress-template-url",
                            PATH,
                            "The template has to give a URL once its placeholders are filled in.",
                            IngressRules::wellFormed));

    private IngressRules() {}

    private static List<FieldProblem> required(DeploymentReview review) {
        return review.spec().ingress().stream()
                .filter(ingress -> isBlank(ingress.template()))
                .map(
                        _ ->
                                missing(
                                        PATH,
                                        "is missing; write the URL, for example"
                                                + " {{name}}.{{namespace}}.example.org"))
                .toList();
    }

    private static List<FieldProblem> wellFormed(DeploymentReview review) {
        return review.spec().ingress().flatMap(IngressSpec::template).stream()
                .filter(template -> !template.isBlank() && !isUrl(template))
                .map(
                        template ->
                                at(
                                        PATH,
                                        template,
                                        "gives no URL; write [http://]host[:port][/path] with"
                                                + " {{name}} and {{namespace}} where you need them"))
                .toList();
    }

    private static boolean isUrl(String template) {
        return URL.matcher(ANY.fill(template.strip())).matches();
    }
}
