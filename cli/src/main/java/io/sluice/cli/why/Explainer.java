// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import io.sluice.api.RawResource;
import io.sluice.api.status.Condition;
import io.sluice.cli.cluster.Finding;
import io.sluice.cli.cluster.SafeText;
import io.sluice.cli.why.Picture.Relative;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Explains a resource by what the API server has of it. Pure. */
final class Explainer {
    /** An operator that is there and is not overloaded looks at an edit within this time. */
    private static final Duration NOTICED = Duration.ofMinutes(2);

    private static final List<String> OUTLOOKS = List.of("Stalled", "Reconciling", "Ready");

    private final Troubleshooting page;
    private final Instant now;

    Explainer(Troubleshooting page, Instant now) {
        this.page = page;
        this.now = now;
    }

    Explanation explain(Picture picture) {
        List<Explanation> related = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (Relative relative : picture.related()) {
            switch (relative.finding()) {
                case Finding.Found(var resource) ->
                        related.add(explain(resource, relative.events(), List.of(), List.of()));
                case Finding.Absent() ->
                        missing.add(
                                "There is no "
                                        + relative.kind().wire()
                                        + " "
                                        + SafeText.line(relative.name(), 253)
                                        + ".");
                case Finding.Hidden(var kind) ->
                        missing.add(
                                "You have no right to get "
                                        + kind.crd()
                                        + ", so that nothing is said of "
                                        + SafeText.line(relative.name(), 253)
                                        + ".");
            }
        }
        return explain(picture.resource(), picture.events(), related, missing);
    }

    private Explanation explain(
            RawResource resource,
            Picture.Events events,
            List<Explanation> related,
            List<String> missing) {
        StatusView view = StatusView.of(resource);
        KindText text = kindText(view);
        Optional<Condition> told =
                OUTLOOKS.stream().flatMap(type -> view.holding(type).stream()).findFirst();
        String reason = told.or(() -> view.condition("Ready")).map(Condition::reason).orElse("");
        Verdict verdict = verdict(view, told, text);
        return new Explanation(
                resource.kind(),
                resource.getMetadata().getNamespace(),
                resource.getMetadata().getName(),
                verdict,
                SafeText.line(reason, 100),
                told.map(Condition::lastTransitionTime).filter(Instant.EPOCH::isBefore),
                Stream.of(
                                attention(view),
                                told
                                        .or(() -> view.condition("Ready"))
                                        .map(Condition::message)
                                        .stream(),
                                text.sentences().stream())
                        .flatMap(each -> each)
                        .map(sentence -> SafeText.line(sentence.strip()))
                        .filter(sentence -> !sentence.isEmpty())
                        .toList(),
                events,
                remedies(view, verdict, reason, told.map(Condition::message).orElse("")),
                related,
                missing);
    }

    private KindText kindText(StatusView view) {
        return switch (view.resource().kind()) {
            case FLINK_DEPLOYMENT, FLINK_SESSION_JOB -> JobText.of(view);
            case FLINK_STATE_SNAPSHOT -> SnapshotText.of(view, new Span(now));
            case FLINK_BLUE_GREEN_DEPLOYMENT -> PairText.of(view, new Span(now));
        };
    }

    private Verdict verdict(StatusView view, Optional<Condition> told, KindText text) {
        if (!view.isObserved() || view.isBehind()) {
            return isOverdue(view) ? Verdict.STALLED : Verdict.AT_WORK;
        }
        if (!view.isOfSluice()) {
            return text.ofApache();
        }
        return switch (told.map(Condition::type).orElse("")) {
            case "Stalled" -> Verdict.STALLED;
            case "Ready" -> view.deletion().isPresent() ? Verdict.AT_WORK : Verdict.READY;
            default -> Verdict.AT_WORK;
        };
    }

    private boolean isOverdue(StatusView view) {
        return view.edited().filter(at -> at.plus(NOTICED).isBefore(now)).isPresent();
    }

    /** What is to be known before the status is read. */
    private Stream<String> attention(StatusView view) {
        var span = new Span(now);
        List<String> sentences = new ArrayList<>();
        view.deletion()
                .ifPresent(
                        at ->
                                sentences.add(
                                        "Its deletion began "
                                                + span.distance(at)
                                                + "."
                                                + finalizers(view)));
        if (!view.isObserved()) {
            sentences.add(
                    "No operator has looked at it"
                            + view.edited().map(at -> " " + span.since(at)).orElse("")
                            + ".");
        } else if (view.isBehind()) {
            sentences.add(
                    "No operator has looked at its last edit"
                            + view.edited().map(at -> ", of " + span.distance(at)).orElse("")
                            + ". What follows is about the spec before.");
        } else if (!view.isOfSluice()) {
            sentences.add(
                    "Its status was written by the Apache operator, which gives no reasons; this is"
                            + " what its fields say.");
        }
        return sentences.stream();
    }

    private static String finalizers(StatusView view) {
        List<String> names = Optional.ofNullable(view.metadata().getFinalizers()).orElse(List.of());
        return names.isEmpty()
                ? ""
                : " It stays until it has no finalizer: " + String.join(", ", names);
    }

    private List<String> remedies(StatusView view, Verdict verdict, String reason, String message) {
        Remedy remedy = Remedy.of(view.resource());
        boolean isUnseen = !view.isObserved() || view.isBehind();
        if (isUnseen || !view.isOfSluice()) {
            return verdict == Verdict.STALLED ? unseen(remedy) : List.of();
        }
        return page.entry(reason)
                .filter(entry -> !entry.remedy().equals("nothing"))
                .map(entry -> known(remedy, entry, reason, message))
                .orElse(List.of());
    }

    private List<String> known(
            Remedy remedy, Troubleshooting.Entry entry, String reason, String message) {
        List<String> all = new ArrayList<>();
        if (reason.equals("PodProblem")) {
            page.byPodProblem().entrySet().stream()
                    .filter(pod -> message.contains(pod.getKey()))
                    .map(pod -> pod.getKey() + ": " + remedy.text(pod.getValue().remedy()))
                    .forEach(all::add);
        } else if (!entry.remedy().isEmpty()) {
            all.add(remedy.text(entry.remedy()));
        }
        all.add("See " + entry.place());
        return all;
    }

    private List<String> unseen(Remedy remedy) {
        return Stream.concat(
                        page.unobserved().stream()
                                .map(
                                        entry ->
                                                remedy.text(entry.cause())
                                                        + ": "
                                                        + remedy.text(entry.remedy())),
                        page.unobserved().stream().limit(1).map(entry -> "See " + entry.place()))
                .toList();
    }
}
