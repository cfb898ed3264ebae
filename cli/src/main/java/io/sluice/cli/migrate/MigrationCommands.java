// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import java.util.ArrayList;
import java.util.List;

/** What to run for a migration, in order. */
final class MigrationCommands {
    private MigrationCommands() {}

    /**
     * @param operators whose releases are uninstalled; the usual one if none is known
     * @param releaseNamespace where Sluice will be installed
     */
    static List<String> of(List<ApacheOperator> operators, String releaseNamespace) {
        List<String> releases =
                operators.isEmpty()
                        ? List.of(ApacheOperator.USUAL_RELEASE)
                        : operators.stream().map(MigrationCommands::release).distinct().toList();
        List<String> commands = new ArrayList<>();
        // Values of two releases can't become those of one by themselves.
        boolean isOne = releases.size() == 1;
        if (isOne) {
            commands.add("helm get values " + releases.getFirst() + " > theirs.yaml");
            commands.add("./sluice migrate values theirs.yaml > values.yaml");
        }
        releases.forEach(release -> commands.add("helm uninstall " + release));
        commands.add(
                "helm show crds helm/sluice | kubectl apply --server-side --force-conflicts -f -");
        commands.add(
                "helm install sluice helm/sluice --namespace "
                        + releaseNamespace
                        + " --create-namespace --take-ownership"
                        + (isOne ? " -f values.yaml" : ""));
        return commands;
    }

    private static String release(ApacheOperator operator) {
        return (operator.release().isEmpty() ? ApacheOperator.USUAL_RELEASE : operator.release())
                + " -n "
                + operator.namespace();
    }
}
