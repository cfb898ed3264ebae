// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import java.util.ArrayList;
import java.util.List;

/** The commands of a migration to Sluice or back, in order. */
final class MigrationCommands {
    private MigrationCommands() {}

    /**
     * @param operators whose releases are uninstalled; the usual one if none is known
     * @param releaseNamespace where Sluice will be installed
     */
    static List<String> of(List<Installation> operators, String releaseNamespace) {
        List<String> releases = releases(operators, Product.APACHE);
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

    /**
     * @param releases those of Sluice; the usual one if none is known
     */
    static List<String> back(List<Installation> releases) {
        List<String> commands = new ArrayList<>();
        releases(releases, Product.SLUICE)
                .forEach(release -> commands.add("helm uninstall " + release + " --wait"));
        commands.add(
                "helm install "
                        + Product.APACHE.usualRelease()
                        + " APACHE_CHART --take-ownership -f theirs.yaml");
        return commands;
    }

    private static List<String> releases(List<Installation> installations, Product product) {
        return installations.isEmpty()
                ? List.of(product.usualRelease() + usualNamespace(product))
                : installations.stream()
                        .map(
                                each ->
                                        (each.release().isEmpty()
                                                        ? product.usualRelease()
                                                        : each.release())
                                                + " -n "
                                                + each.namespace())
                        .distinct()
                        .toList();
    }

    private static String usualNamespace(Product product) {
        return switch (product) {
            case APACHE -> "";
            case SLUICE -> " -n sluice-system";
        };
    }
}
