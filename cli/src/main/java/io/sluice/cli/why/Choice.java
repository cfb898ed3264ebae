// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.cluster.Finding;
import io.sluice.cli.cluster.KindWords;
import io.sluice.cli.cluster.ResourceArgument;
import java.util.List;
import java.util.stream.Collectors;

/** Which resource is meant, of what was found under its name. Pure. */
final class Choice {
    private static final String WRITE =
            "; write NAME, or flinkdep/NAME, flinksessionjob/NAME, flinkbgdep/NAME or"
                    + " flinksnp/NAME";

    /** The kinds that a bare name is looked up among. */
    private static final List<ResourceKind> ALL = List.copyOf(ResourceKind.WORDS.values());

    private Choice() {}

    /**
     * @throws NotExplained if the text names no resource
     */
    static ResourceArgument argument(String text) {
        return ResourceArgument.of(text)
                .orElseThrow(
                        () ->
                                new NotExplained(
                                        "RESOURCE: '" + text + "' names no resource" + WRITE));
    }

    static List<ResourceKind> kinds(ResourceArgument argument) {
        return argument.kind().map(List::of).orElse(ALL);
    }

    /**
     * @param found what there is of each of {@link #kinds}
     * @throws NotExplained if it is not one resource
     */
    static RawResource of(ResourceArgument argument, List<Finding> found, String namespace) {
        List<RawResource> resources =
                found.stream()
                        .filter(Finding.Found.class::isInstance)
                        .map(each -> ((Finding.Found) each).resource())
                        .toList();
        if (resources.size() == 1) {
            return resources.getFirst();
        }
        if (resources.size() > 1) {
            throw new NotExplained(
                    "RESOURCE: more than one is named '"
                            + argument.name()
                            + "' in namespace '"
                            + namespace
                            + "'; write "
                            + resources.stream()
                                    .map(each -> KindWords.argument(each.kind(), argument.name()))
                                    .collect(Collectors.joining(" or ")));
        }
        String hidden =
                found.stream()
                        .filter(Finding.Hidden.class::isInstance)
                        .map(each -> ((Finding.Hidden) each).kind().crd())
                        .collect(Collectors.joining(", "));
        String words =
                kinds(argument).stream().map(ResourceKind::wire).collect(Collectors.joining(", "));
        throw new NotExplained(
                hidden.isEmpty()
                        ? "RESOURCE: there is no resource '%s' in namespace '%s' among: %s; kubectl get %s -n %s shows what there is"
                                .formatted(
                                        argument.name(),
                                        namespace,
                                        words,
                                        kinds(argument).stream()
                                                .map(KindWords::word)
                                                .collect(Collectors.joining(",")),
                                        namespace)
                        : "RESOURCE: you have no right to get %s in namespace '%s', and nothing else is named '%s'; ask for the right, or name another namespace with -n"
                                .formatted(hidden, namespace, argument.name()));
    }
}
