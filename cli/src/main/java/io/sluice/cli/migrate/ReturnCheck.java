// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.cli.document.Document;
import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.config.option.BlueGreenOptions;
import io.sluice.rules.config.option.DeclaredOptions;
import io.sluice.rules.config.option.OperatorOption;
import io.sluice.rules.cron.CronAnnotations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Decides what becomes of what was read of a cluster of Sluice when the Apache operator takes its
 * place; it asks nobody. The Apache operator reads neither {@code status.attempt} nor {@code
 * status.transition}, so that only what is at rest goes back as it is.
 */
final class ReturnCheck {
    private static final String LAST = "status.reconciliationStatus.lastReconciledSpec";
    private static final String WITHOUT_EFFECT = "option-without-effect";
    private static final String GOVERNOR = AutoscalerOptions.PREFIX + "governor.";
    private static final Set<BlueGreenState> AT_REST =
            Set.of(
                    BlueGreenState.INITIALIZING_BLUE,
                    BlueGreenState.ACTIVE_BLUE,
                    BlueGreenState.ACTIVE_GREEN);

    private final Set<String> owners;

    private ReturnCheck(Set<String> owners) {
        this.owners = owners;
    }

    static CheckReport of(LivePicture picture) {
        var check = new ReturnCheck(picture.owners());
        return new CheckReport(
                picture.resources().stream().map(check::judge).sorted(CheckReport.ORDER).toList(),
                picture.operators().stream().map(ReturnCheck::judge).toList(),
                picture.missing(),
                MigrationCommands.back(picture.operators()));
    }

    private MigrationVerdict judge(Document document) {
        List<CheckRemark> reasons = new ArrayList<>();
        List<CheckRemark> notes = new ArrayList<>();
        switch (ResourceKind.WORDS.get(document.kind())) {
            case FLINK_DEPLOYMENT -> {
                if (isTemplate(document)) {
                    reasons.add(template());
                } else {
                    job(document, reasons, notes);
                }
            }
            case FLINK_SESSION_JOB -> job(document, reasons, notes);
            case FLINK_STATE_SNAPSHOT ->
                    LiveFindings.snapshot(
                                    document,
                                    ". Wait until it is, or the Apache operator goes on with it.")
                            .ifPresent(notes::add);
            case FLINK_BLUE_GREEN_DEPLOYMENT -> pair(document, reasons, notes);
            case null -> {}
        }
        LiveFindings.deletion(document, "the Apache operator").ifPresent(notes::add);
        return new MigrationVerdict(
                document.kind(),
                document.namespace(),
                document.name(),
                Verdict.of(reasons, List.of()),
                notes);
    }

    private static boolean isTemplate(Document document) {
        return document.content()
                .at("/metadata/annotations")
                .hasNonNull(CronAnnotations.EXPRESSION);
    }

    private static CheckRemark template() {
        return new CheckRemark(
                "cron-template",
                "metadata.annotations[" + CronAnnotations.EXPRESSION + "]",
                "The Apache operator has no cron jobs, and would run the template itself at once."
                        + " Keep its manifest, wait until its runs have ended, and delete it: its"
                        + " runs are deleted with it.");
    }

    private void job(Document document, List<CheckRemark> reasons, List<CheckRemark> notes) {
        JsonNode status = document.content().path("status");
        String encoded = status.at("/reconciliationStatus/lastReconciledSpec").asText("");
        if (encoded.isEmpty()) {
            neverReconciled(document, reasons, notes);
        } else if (ReconciledSpec.decode(encoded).isEmpty()) {
            reasons.add(lost("It can't be read, so that nothing says what runs for the resource."));
        }
        underWay(status).ifPresent(reasons::add);
        notCarriedOut(document).ifPresent(reasons::add);
        FlinkConfiguration.of(document.content().at("/spec/flinkConfiguration"))
                .entries()
                .keySet()
                .stream()
                .sorted()
                .filter(ReturnCheck::isAdded)
                .map(key -> withoutEffect("spec.flinkConfiguration[" + key + "]"))
                .forEach(notes::add);
    }

    private void neverReconciled(
            Document document, List<CheckRemark> reasons, List<CheckRemark> notes) {
        if (owners.contains(document.content().at("/metadata/uid").asText(""))) {
            reasons.add(
                    lost(
                            "It is missing, although a cluster of the resource stands. The Apache"
                                    + " operator would take the resource for a new one."));
        } else {
            notes.add(
                    new CheckRemark(
                            "not-deployed",
                            LAST,
                            "It is missing: Sluice has not carried out the resource. The Apache"
                                    + " operator deploys it as a new one."));
        }
    }

    private static CheckRemark lost(String what) {
        return new CheckRemark(
                "status-lost", LAST, what + " Restore status.reconciliationStatus from a backup.");
    }

    private static Optional<CheckRemark> underWay(JsonNode status) {
        String word = status.at("/reconciliationStatus/state").asText("");
        boolean isChanging =
                switch (ReconciliationState.WORDS.get(word)) {
                    case UPGRADING, ROLLING_BACK -> true;
                    case DEPLOYED, ROLLED_BACK -> false;
                    case null -> false;
                };
        if (!isChanging && !status.path("attempt").has("stop")) {
            return Optional.empty();
        }
        return Optional.of(
                new CheckRemark(
                        "not-at-rest",
                        isChanging ? "status.reconciliationStatus.state" : "status.attempt.stop",
                        "An upgrade, a suspension or a rollback is under way"
                                + (isChanging ? " (" + word + ")" : "")
                                + ". The Apache operator does not read how far it has come. Wait"
                                + " until status.lifecycleState is STABLE or SUSPENDED."));
    }

    private static Optional<CheckRemark> notCarriedOut(Document document) {
        return LiveFindings.notCarriedOut(
                document,
                ", and the Apache operator would carry it out at once. Wait until Sluice has, or"
                        + " take the edit back.");
    }

    private static void pair(
            Document document, List<CheckRemark> reasons, List<CheckRemark> notes) {
        String word = document.content().at("/status/blueGreenState").asText("");
        boolean isMoving =
                Optional.ofNullable(BlueGreenState.WORDS.get(word))
                        .filter(state -> !AT_REST.contains(state))
                        .isPresent();
        if (isMoving) {
            reasons.add(
                    new CheckRemark(
                            "not-at-rest",
                            "status.blueGreenState",
                            "A transition is under way ("
                                    + word
                                    + "). The Apache operator does not read how far it has come."
                                    + " Wait until one half is active."));
        }
        notCarriedOut(document).ifPresent(reasons::add);
        var options = new TreeMap<String, String>();
        document.content()
                .at("/spec/configuration")
                .propertyStream()
                .forEach(each -> options.put(each.getKey(), each.getValue().asText("")));
        options.forEach(
                (key, value) -> {
                    String path = "spec.configuration[" + key + "]";
                    if (key.equals(BlueGreenOptions.HANDOVER.key()) && value.equals("stop-first")) {
                        notes.add(
                                new CheckRemark(
                                        WITHOUT_EFFECT,
                                        path,
                                        "The Apache operator does not have it: in the next"
                                                + " transition both halves run at the same time."));
                    } else if (isAdded(key)) {
                        notes.add(withoutEffect(path));
                    }
                });
    }

    private static MigrationVerdict judge(Installation release) {
        List<CheckRemark> notes = new ArrayList<>();
        if (release.files().isEmpty()) {
            notes.add(
                    new CheckRemark(
                            MigrationCheck.NO_CONFIGURATION,
                            "",
                            "Its configuration was not seen. Options of Sluice have no effect with"
                                    + " the Apache operator."));
        } else {
            added(release).map(ReturnCheck::withoutEffect).forEach(notes::add);
        }
        return new MigrationVerdict(
                "Sluice", release.namespace(), release.release(), new Verdict.TakenOver(), notes);
    }

    /** What can't be read sets nothing. */
    private static Stream<String> added(Installation release) {
        try {
            return release.configuration().base().entries().keySet().stream()
                    .sorted()
                    .filter(ReturnCheck::isAdded)
                    .toList()
                    .stream();
        } catch (IllegalArgumentException _) {
            return Stream.empty();
        }
    }

    private static CheckRemark withoutEffect(String path) {
        return new CheckRemark(
                WITHOUT_EFFECT,
                path,
                "The Apache operator does not have it, so that it has no effect.");
    }

    /** Whether Sluice knows {@code key}, and the Apache operator does not. */
    private static boolean isAdded(String key) {
        return key.startsWith(GOVERNOR)
                || DeclaredOptions.of(key).filter(OperatorOption::addedBySluice).isPresent();
    }
}
