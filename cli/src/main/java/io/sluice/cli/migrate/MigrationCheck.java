// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.cli.document.Document;
import io.sluice.cli.lint.Lint;
import io.sluice.cli.lint.LintResult;
import io.sluice.rules.config.ConfigurationReview;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Violation;
import io.sluice.rules.review.Warning;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Decides what becomes of what was read of a cluster; it asks nobody. */
final class MigrationCheck {
    /** The ConfigMap with the Apache operator's configuration. */
    static final String CONFIGURATION = "flink-operator-config";

    static final String NO_CONFIGURATION = "operator-configuration-unknown";

    /** Says of a reference that nobody looked it up; here all that may be seen was looked up. */
    private static final String DEFERRED = "checks-deferred";

    /** Rules whose resource Sluice does not serve, with what to do about it. */
    private static final Map<String, String> BLOCKING =
            Map.of(
                    "ha-type",
                    " What runs goes on, and Sluice changes nothing of it. Before the migration,"
                            + " suspend the job with upgradeMode savepoint, set"
                            + " high-availability.type: kubernetes, and resume it.",
                    "rest-tls-needs-certificates",
                    " What runs goes on, and Sluice can't ask its JobManager until"
                            + " jobManagerTls.secretName is set in the values of its chart. Set it"
                            + " before the migration.");

    private final LivePicture picture;

    private MigrationCheck(LivePicture picture) {
        this.picture = picture;
    }

    /**
     * @param releaseNamespace where Sluice will be installed
     */
    static CheckReport of(LivePicture picture, String releaseNamespace) {
        return new MigrationCheck(picture).report(releaseNamespace);
    }

    private CheckReport report(String releaseNamespace) {
        DefaultConfiguration configuration = configuration();
        var live = new LiveFindings(picture.owners(), configuration);
        List<MigrationVerdict> resources =
                new Lint(configuration, releaseNamespace, "")
                        .review(picture.resources()).results().stream()
                                .map(result -> judge(result, live))
                                .sorted(CheckReport.ORDER)
                                .toList();
        return new CheckReport(
                resources,
                picture.operators().stream().map(this::judge).toList(),
                picture.missing(),
                MigrationCommands.of(picture.operators(), releaseNamespace));
    }

    /** What the Apache operator goes by, as its values are migrated to our chart. */
    private DefaultConfiguration configuration() {
        Map<String, String> entries = new HashMap<>(Lint.OF_CHART.base().entries());
        if (picture.operators().size() == 1) {
            Installation only = picture.operators().getFirst();
            try {
                entries.putAll(only.configuration().base().entries());
            } catch (IllegalArgumentException _) {
                return Lint.OF_CHART;
            }
        }
        return new DefaultConfiguration(new FlinkConfiguration(entries));
    }

    private MigrationVerdict judge(LintResult result, LiveFindings live) {
        Document document = result.document();
        LiveFindings.Found found = live.of(document);
        List<CheckRemark> reasons = new ArrayList<>(found.reasons());
        List<CheckRemark> edits = new ArrayList<>();
        for (Violation violation : result.findings().problems()) {
            String remedy = BLOCKING.get(violation.rule());
            if (remedy != null) {
                reasons.add(remark(violation, "." + remedy));
            } else if (found.stands(violation.rule())) {
                edits.add(remark(violation, ""));
            }
        }
        Stream<CheckRemark> warnings =
                result.findings().warnings().stream()
                        .filter(warning -> !warning.id().equals(DEFERRED))
                        .map(MigrationCheck::remark);
        return new MigrationVerdict(
                document.kind(),
                document.namespace(),
                document.name(),
                Verdict.of(reasons, edits),
                Stream.concat(found.notes().stream(), warnings).toList());
    }

    private MigrationVerdict judge(Installation operator) {
        List<CheckRemark> edits = new ArrayList<>();
        List<CheckRemark> notes = new ArrayList<>();
        if (operator.files().isEmpty()) {
            notes.add(
                    new CheckRemark(
                            NO_CONFIGURATION,
                            "",
                            "The ConfigMap "
                                    + CONFIGURATION
                                    + " was not seen, so that the resources were checked with the"
                                    + " defaults of Sluice's chart."));
        } else {
            review(operator, edits, notes);
        }
        if (picture.operators().size() > 1) {
            notes.add(
                    new CheckRemark(
                            NO_CONFIGURATION,
                            "",
                            "There are several installations, so that the resources were checked"
                                    + " with the defaults of Sluice's chart. Name one of them with"
                                    + " --operator-namespace, and the namespaces that it serves"
                                    + " with -n."));
        }
        for (String mount : operator.mounts()) {
            notes.add(
                    new CheckRemark(
                            "operator-plugin",
                            mount,
                            "Sluice loads no plugins of the Apache operator. Port a validator,"
                                    + " mutator or listener to Sluice's interfaces; it needs no"
                                    + " file systems."));
        }
        for (String image : operator.images()) {
            notes.add(
                    new CheckRemark(
                            "operator-image",
                            image,
                            "Plugins inside of an image can't be seen from here. If you built it,"
                                    + " look for what you put below /opt/flink/plugins."));
        }
        return new MigrationVerdict(
                "the Apache operator",
                operator.namespace(),
                operator.release(),
                Verdict.of(List.of(), edits),
                notes);
    }

    private static void review(
            Installation operator, List<CheckRemark> edits, List<CheckRemark> notes) {
        try {
            var review = ConfigurationReview.of(operator.configuration());
            review.errors()
                    .forEach(error -> edits.add(new CheckRemark("operator-option", "", error)));
            review.warnings()
                    .forEach(warning -> notes.add(new CheckRemark("operator-option", "", warning)));
        } catch (IllegalArgumentException _) {
            edits.add(
                    new CheckRemark(
                            "operator-option",
                            "",
                            "The configuration can't be read. Write 'key: value' lines."));
        }
    }

    private static CheckRemark remark(Violation violation, String remedy) {
        var problem = violation.problem();
        String value = problem.value().isEmpty() ? "" : "'" + problem.value() + "' ";
        return new CheckRemark(
                violation.rule(), problem.path(), value + problem.message() + remedy);
    }

    private static CheckRemark remark(Warning warning) {
        return new CheckRemark(warning.id(), warning.path(), warning.message());
    }
}
