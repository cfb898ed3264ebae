// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.sessionjob;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.JobSpec;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ArtifactOptions;
import io.sluice.rules.jar.ArtifactPolicy;
import io.sluice.rules.jar.JarUri;
import io.sluice.rules.review.Problems;
import io.sluice.rules.review.Rule;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Where the operator may fetch a session job's jar from. Only what the address itself says: a name
 * is resolved, and checked again, by whoever fetches it.
 */
final class JarRules {
    private static final String PATH = "spec.job.jarURI";
    private static final String SCHEMES = ArtifactOptions.ALLOWED_SCHEMES.key();
    private static final String GUARD = ArtifactOptions.DISALLOW_RESTRICTED_HOSTS.key();

    static final List<Rule<SessionJobReview>> ALL =
            List.of(
                    rule(
                            "jar-uri-syntax",
                            "The operator can't fetch a jar whose address it can't read.",
                            (text, _) -> JarUri.parse(text).isEmpty(),
                            "is not a URI; write it like https://repo.example.org/job.jar"),
                    rule(
                            "jar-uri-scheme-required",
                            "A path without a scheme doesn't say where the jar is.",
                            (text, _) -> parsed(text, uri -> uri.scheme().isEmpty()),
                            "has no scheme; write it like https://repo.example.org/job.jar"),
                    new Rule<>(
                            "jar-uri-scheme-allowed",
                            PATH,
                            "Other schemes would read files that only the operator may read. "
                                    + SCHEMES
                                    + " lists the allowed ones.",
                            review -> objections(review, JarRules::scheme)),
                    rule(
                            "jar-uri-host-required",
                            "Without a host the operator doesn't know where to fetch the jar.",
                            (text, granted) ->
                                    isGuarded(granted)
                                            && parsed(
                                                    text,
                                                    uri -> uri.isHttp() && uri.host().isEmpty()),
                            "names no host; write it like https://repo.example.org/job.jar"),
                    new Rule<>(
                            "jar-uri-host-allowed",
                            PATH,
                            "If "
                                    + ArtifactOptions.ALLOWED_HOSTS.key()
                                    + " lists hosts, the operator fetches jars from no other. An"
                                    + " entry '*' stands for every public host. Flink's file"
                                    + " systems read only from buckets and hosts that are listed"
                                    + " by name, because they use an identity of the platform.",
                            review -> objections(review, JarRules::host)),
                    new Rule<>(
                            "jar-uri-host-restricted",
                            PATH,
                            "The operator may reach hosts that the user can't reach. "
                                    + ArtifactOptions.ALLOWED_HOSTS.key()
                                    + " lists those that are allowed although their addresses are"
                                    + " not public, and "
                                    + GUARD
                                    + " turns this rule off.",
                            JarRules::restricted));

    private JarRules() {}

    private static Rule<SessionJobReview> rule(
            String id, String why, BiPredicate<String, Options> isWrong, String message) {
        return new Rule<>(
                id,
                PATH,
                why,
                review ->
                        uri(review).stream()
                                .filter(text -> isWrong.test(text, review.granted()))
                                .map(text -> problem(text, message))
                                .toList());
    }

    private static List<FieldProblem> objections(
            SessionJobReview review,
            BiFunction<ArtifactPolicy, JarUri, Optional<String>> objection) {
        ArtifactPolicy policy = ArtifactPolicy.of(review.granted());
        return uri(review).stream()
                .flatMap(
                        text ->
                                JarUri.parse(text)
                                        .flatMap(uri -> objection.apply(policy, uri))
                                        .map(message -> problem(text, message))
                                        .stream())
                .toList();
    }

    private static Optional<String> scheme(ArtifactPolicy policy, JarUri uri) {
        return uri.scheme().flatMap(_ -> policy.schemeObjection(uri));
    }

    private static Optional<String> host(ArtifactPolicy policy, JarUri uri) {
        boolean isSaidByAnotherRule =
                !uri.isHttp()
                        && (uri.scheme().isEmpty()
                                || scheme(policy, uri).isPresent()
                                || uri.host().flatMap(policy::restriction).isPresent());
        return isSaidByAnotherRule ? Optional.empty() : policy.hostObjection(uri);
    }

    private static List<FieldProblem> restricted(SessionJobReview review) {
        ArtifactPolicy policy = ArtifactPolicy.of(review.granted());
        return uri(review).stream()
                .flatMap(
                        text ->
                                JarUri.parse(text)
                                        .flatMap(JarUri::host)
                                        .flatMap(policy::restriction)
                                        .map(message -> problem(text, message))
                                        .stream())
                .toList();
    }

    private static boolean isGuarded(Options granted) {
        return granted.get(ArtifactOptions.DISALLOW_RESTRICTED_HOSTS);
    }

    private static Optional<String> uri(SessionJobReview review) {
        return review.spec().job().flatMap(JobSpec::jarUri);
    }

    private static boolean parsed(String text, Predicate<JarUri> is) {
        return JarUri.parse(text).filter(is).isPresent();
    }

    private static FieldProblem problem(String text, String message) {
        return Problems.at(PATH, JarUri.shown(text), message);
    }
}
