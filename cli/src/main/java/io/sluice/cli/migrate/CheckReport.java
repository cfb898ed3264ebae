// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import java.util.Comparator;
import java.util.List;

/**
 * The result of a check before a migration.
 *
 * @param resources one judgement each, in the order of kinds, namespaces and names
 * @param operators one judgement for each installation of the operator that serves the cluster
 * @param missing rights that the caller lacks, so that the rest is incomplete
 * @param commands what to run, in order
 */
record CheckReport(
        List<MigrationVerdict> resources,
        List<MigrationVerdict> operators,
        List<MissingRight> missing,
        List<String> commands) {
    /** That of the resources. */
    static final Comparator<MigrationVerdict> ORDER =
            Comparator.comparing(MigrationVerdict::kind)
                    .thenComparing(MigrationVerdict::namespace)
                    .thenComparing(MigrationVerdict::name);

    CheckReport {
        resources = List.copyOf(resources);
        operators = List.copyOf(operators);
        missing = List.copyOf(missing);
        commands = List.copyOf(commands);
    }

    /** Returns whether the other operator takes over every resource as it is. */
    boolean isFine() {
        return resources.stream().allMatch(CheckReport::isFine)
                && operators.stream().allMatch(CheckReport::isFine);
    }

    private static boolean isFine(MigrationVerdict judgement) {
        return judgement.verdict() instanceof Verdict.TakenOver;
    }

    /** How many resources have a verdict of {@code type}. */
    long count(Class<? extends Verdict> type) {
        return resources.stream().map(MigrationVerdict::verdict).filter(type::isInstance).count();
    }
}
