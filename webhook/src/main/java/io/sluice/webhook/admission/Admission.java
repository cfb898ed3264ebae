// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.Reviewer;
import io.sluice.rules.advice.UnchangedValues;
import io.sluice.rules.canary.CanaryResources;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.cron.CronAnnotations;
import io.sluice.rules.defaults.Defaults;
import io.sluice.rules.deployment.DeploymentReview;
import io.sluice.rules.review.Findings;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Violation;
import io.sluice.rules.review.Warning;
import io.sluice.rules.scale.ScaleRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which request is put before the rules, and which is completed by the defaults. Remembers what it
 * said of the last few; that apart, it is pure.
 */
public final class Admission {
    /** The API server asks the second time at once: as many as are written at a time. */
    private static final int REMEMBERED = 128;

    /** The namespace of a release that does not say where it is. */
    private static final String HOME = "default";

    /** What is said of the others depends on more than their body. */
    private static final Set<String> ALONE =
            Set.of(
                    ResourceKind.FLINK_DEPLOYMENT.wire(),
                    ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT.wire());

    private final Reviewer reviewer;
    private final Lookup lookup;
    private final AdmissionPlugins plugins;
    private final CanaryResources canaries;
    private final Recent recent = new Recent(REMEMBERED);

    public Admission(DefaultConfiguration defaults) {
        this(defaults, Lookup.NOTHING);
    }

    /**
     * @param lookup finds what a resource refers to, {@link Lookup#NOTHING} where nothing can
     */
    Admission(DefaultConfiguration defaults, Lookup lookup) {
        this(defaults, lookup, AdmissionPlugins.NONE);
    }

    /** One whose release does not say where it is. */
    Admission(DefaultConfiguration defaults, Lookup lookup, AdmissionPlugins plugins) {
        this(defaults, lookup, plugins, CanaryResources.of(defaults, HOME));
    }

    /**
     * @param canaries are neither checked nor completed
     */
    public Admission(
            DefaultConfiguration defaults,
            Lookup lookup,
            AdmissionPlugins plugins,
            CanaryResources canaries) {
        this.reviewer = new Reviewer(defaults);
        this.lookup = lookup;
        this.plugins = plugins;
        this.canaries = canaries;
    }

    /** Judges the body of an AdmissionReview; empty if it is none that could be answered. */
    public Optional<AdmissionVerdict> judge(byte[] body) {
        Optional<Envelope> asked = Envelope.of(body);
        Optional<AdmissionVerdict> known = asked.flatMap(recent::find);
        if (known.isPresent()) {
            return known;
        }
        Optional<AdmissionVerdict> judged = ReviewReader.read(body).map(this::judge);
        if (asked.isPresent()) {
            judged.filter(each -> ALONE.contains(each.request().kind()))
                    .filter(each -> AdmissionPlugins.isFinal(each.mutated()))
                    .ifPresent(each -> recent.keep(asked.get(), each));
        }
        return judged;
    }

    /**
     * What is refused is refused by {@code /mutate} already: between the two the API server checks
     * its schema, and would answer with the few problems that it knows of instead of all.
     */
    public AdmissionVerdict judge(AdmissionRequest request) {
        return shortcut(request)
                .map(verdict -> new AdmissionVerdict(request, verdict, verdict))
                .orElseGet(
                        () -> {
                            Verdict checked = check(request);
                            Verdict completed =
                                    switch (checked) {
                                        case Verdict.Refused refused -> refused;
                                        case Verdict.Allowed _,
                                                Verdict.Completed _,
                                                Verdict.Unknown _ ->
                                                plugins.complete(
                                                        kind(request),
                                                        request.object().orElseThrow());
                                    };
                            return new AdmissionVerdict(request, completed, checked);
                        });
    }

    /** What the metrics call {@code kind}: other webhooks' kinds have one name together. */
    public static String label(String kind) {
        return ResourceKind.WORDS.containsKey(kind) || kind.equals("Scale") ? kind : "other";
    }

    /** The answer to what is neither checked by its spec nor completed. */
    private Optional<Verdict> shortcut(AdmissionRequest request) {
        Optional<ScaleRequest> scale = request.scale();
        if (scale.isPresent()) {
            return scale.map(this::check);
        }
        if (!isOurs(request) && request.subresource().isEmpty()) {
            return Optional.of(new Verdict.Unknown(request.kind()));
        }
        boolean writes =
                switch (request.operation()) {
                    case CREATE, UPDATE -> true;
                    case DELETE, CONNECT -> false;
                };
        if (!writes || !request.subresource().isEmpty() || request.object().isEmpty()) {
            return Optional.of(Verdict.allowed());
        }
        return isCanary(request)
                        || (keepsSpec(request) && keepsSchedule(request) && keepsLabel(request))
                ? Optional.of(Verdict.allowed())
                : Optional.empty();
    }

    private static boolean isOurs(AdmissionRequest request) {
        return request.group().equals(ApiVersion.GROUP)
                && ResourceKind.WORDS.containsKey(request.kind());
    }

    /** Plugins are not asked: what they check is a spec. */
    private Verdict check(ScaleRequest request) {
        List<Violation> problems = reviewer.review(request, lookup);
        return problems.isEmpty() ? Verdict.allowed() : new Verdict.Refused(problems, List.of());
    }

    private Verdict check(AdmissionRequest request) {
        ReviewRequest asked = reviewRequest(request);
        Findings findings = reviewer.review(asked, lookup);
        List<Violation> problems = new ArrayList<>(findings.problems());
        problems.addAll(plugins.check(asked));
        canaries.problem(asked.namespace(), asked.name(), labels(asked.resource()))
                .map(problem -> new Violation("canary-configured", problem))
                .ifPresent(problems::add);
        List<String> warnings = Warnings.of(news(request, findings));
        return problems.isEmpty()
                ? new Verdict.Allowed(warnings)
                : new Verdict.Refused(problems, warnings);
    }

    /** What of the warnings was not said of the stored resource already. */
    private static List<Warning> news(AdmissionRequest request, Findings findings) {
        return request.oldObject()
                .map(
                        old ->
                                UnchangedValues.leaveOut(
                                        findings.warnings(), old, request.object().orElseThrow()))
                .orElse(findings.warnings());
    }

    /** The object is named as the request names it where it does not say so itself. */
    private static ReviewRequest reviewRequest(AdmissionRequest request) {
        ObjectNode resource = request.object().orElseThrow();
        JsonNode metadata = resource.path("metadata");
        return new ReviewRequest(
                kind(request),
                metadata.path("namespace").asText(request.namespace()),
                metadata.path("name").asText(request.name()),
                resource,
                request.oldObject());
    }

    /**
     * Labels, finalizers and the like can be changed on a resource whose spec was stored before a
     * rule was: refusing them would keep it from being deleted.
     */
    private static boolean keepsSpec(AdmissionRequest request) {
        return request.oldObject()
                .map(old -> Defaults.isSameSpec(kind(request), old, request.object().orElseThrow()))
                .orElse(false);
    }

    /** The annotations of a cron job are as good as a part of its spec. */
    private static boolean keepsSchedule(AdmissionRequest request) {
        return kind(request) != ResourceKind.FLINK_DEPLOYMENT
                || request.oldObject()
                        .filter(
                                old ->
                                        CronAnnotations.isScheduled(
                                                DeploymentReview.annotations(old),
                                                DeploymentReview.annotations(
                                                        request.object().orElseThrow())))
                        .isEmpty();
    }

    /** Of a request that is {@link #isOurs}. */
    private static ResourceKind kind(AdmissionRequest request) {
        return Optional.ofNullable(ResourceKind.WORDS.get(request.kind())).orElseThrow();
    }

    /** A canary that loses its label is checked like a new resource, and so is its like. */
    private static boolean keepsLabel(AdmissionRequest request) {
        return request.oldObject()
                .map(Admission::labels)
                .map(CanaryResources::isLabelled)
                .equals(request.object().map(Admission::labels).map(CanaryResources::isLabelled));
    }

    private boolean isCanary(AdmissionRequest request) {
        ReviewRequest asked = reviewRequest(request);
        return canaries.contains(asked.namespace(), asked.name(), labels(asked.resource()));
    }

    private static Map<String, String> labels(ObjectNode resource) {
        Map<String, String> labels = new HashMap<>();
        resource.at("/metadata/labels")
                .propertyStream()
                .forEach(each -> labels.put(each.getKey(), each.getValue().asText("")));
        return labels;
    }
}
