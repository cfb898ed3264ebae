// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.json.FieldProblem;
import io.sluice.api.json.Parsed;
import io.sluice.api.status.CronStatus;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Refusal;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.observe.RejectedManifests;
import io.sluice.operator.observe.SpecReader;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.cron.CronAnnotations;
import io.sluice.rules.cron.CronPlan;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads a template and its runs; the runs from the API server itself, as a cache that is late would
 * start one that is there.
 */
public final class CronObserver {
    private final KubernetesClient client;
    private final Supplier<DefaultConfiguration> defaults;
    private final SpecValidators validators;
    private final RejectedManifests rejectedManifests;
    private final InstantSource clock;

    public CronObserver(
            KubernetesClient client,
            Supplier<DefaultConfiguration> defaults,
            SpecValidators validators,
            RejectedManifests rejectedManifests,
            InstantSource clock) {
        this.client = client;
        this.defaults = defaults;
        this.validators = validators;
        this.rejectedManifests = rejectedManifests;
        this.clock = clock;
    }

    CronObservedState observe(FlinkDeployment template) {
        ObjectMeta metadata = template.getMetadata();
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        Map<String, String> annotations =
                Optional.ofNullable(metadata.getAnnotations()).orElseGet(Map::of);
        Parsed<Optional<CronPlan>> read = CronAnnotations.read(annotations);
        Optional<SpecView.Invalid> objection = objection(template, read.problems());
        CronStatus memory = CronStatus.of(template.getStatus());
        var polls = ObservedState.Polls.of(defaults.get(), metadata.getNamespace());
        return new CronObservedState(
                new CronObservedState.Identity(
                        metadata.getName(),
                        Optional.ofNullable(metadata.getGeneration()).orElse(0L),
                        metadata.getDeletionTimestamp() != null),
                read.value().filter(_ -> objection.isEmpty()),
                objection,
                template.getSpec().at("/job/state").asText("").equals("suspended"),
                memory,
                FlinkDeploymentStatus.of(template.getStatus()).conditions(),
                runs(template),
                refusal(template, read.value(), memory),
                Optional.ofNullable(metadata.getCreationTimestamp())
                        .map(Instant::parse)
                        .orElse(now),
                now,
                new CronObservedState.Polls(polls.steady(), polls.progress()));
    }

    /** A template is validated too: its runs get its spec. */
    private Optional<SpecView.Invalid> objection(
            FlinkDeployment template, List<FieldProblem> ofAnnotations) {
        SpecView view = SpecReader.of(template, Optional.empty(), defaults.get(), validators);
        Optional<SpecView.Invalid> ofSpec =
                view instanceof SpecView.Invalid invalid ? Optional.of(invalid) : Optional.empty();
        if (ofAnnotations.isEmpty()) {
            return ofSpec;
        }
        List<String> problems = new ArrayList<>();
        ofAnnotations.forEach(problem -> problems.add(problem.text()));
        ofSpec.ifPresent(invalid -> problems.addAll(invalid.problems()));
        return Optional.of(new SpecView.Invalid(problems));
    }

    private List<CronRun> runs(FlinkDeployment template) {
        return client
                .resources(FlinkDeployment.class)
                .inNamespace(template.getMetadata().getNamespace())
                .withLabel(CronRun.TEMPLATE_LABEL, template.getMetadata().getName())
                .list()
                .getItems()
                .stream()
                .flatMap(found -> CronRun.of(found, template).stream())
                .sorted(Comparator.comparing(CronRun::fire))
                .toList();
    }

    private Optional<Refusal> refusal(
            FlinkDeployment template, Optional<CronPlan> plan, CronStatus memory) {
        return plan.flatMap(
                known ->
                        memory.starting()
                                .flatMap(
                                        fire ->
                                                rejectedManifests.of(
                                                        template.getMetadata().getUid(),
                                                        Optional.of(
                                                                known.runName(
                                                                        template.getMetadata()
                                                                                .getName(),
                                                                        fire)))));
    }
}
