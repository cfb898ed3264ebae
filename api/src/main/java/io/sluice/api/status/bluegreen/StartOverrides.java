// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.ReconciledSpec;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The overrides with which a half of a blue/green pair starts: those that the autoscaler asked of
 * the half that it replaces. They are stored in its annotations, because the ConfigMap of the
 * replaced half is deleted together with that half. Each annotation has the name and the text of an
 * entry of ConfigMap {@code autoscaler-<half>}.
 */
public final class StartOverrides {
    private static final String PREFIX = "sluice.io/autoscaler.";
    private static final String PARALLELISM = "parallelismOverrides";

    /**
     * The entries, and how many bytes each may have. Kubernetes allows 256 KiB for all annotations
     * of a resource, of which more than a third is left for those of the template.
     */
    private static final Map<String, Integer> LONGEST =
            Map.of(PARALLELISM, 100_000, "configOverrides", 64 * 1024);

    private StartOverrides() {}

    /** The annotations for entries of the ConfigMap of the former half; others are left out. */
    public static SortedMap<String, String> annotations(Map<String, String> entries) {
        SortedMap<String, String> annotations = new TreeMap<>();
        LONGEST.forEach(
                (entry, longest) ->
                        Optional.ofNullable(entries.get(entry))
                                .filter(text -> text.getBytes(UTF_8).length <= longest)
                                .ifPresent(text -> annotations.put(PREFIX + entry, text)));
        return annotations;
    }

    /**
     * The entries that a half without a ConfigMap of its own goes by. They count for its first
     * deployment, and for as long as it runs with them: the ConfigMap of a half that was scaled
     * since may be deleted, which is not to bring the former size back.
     *
     * @param resource any FlinkDeployment; of what is no half nothing is read
     * @param status of the resource; empty if it has none yet
     */
    public static Map<String, String> of(HasMetadata resource, Optional<ObjectNode> status) {
        Map<String, String> entries =
                PairHalf.of(resource).isPresent() ? read(resource) : Collections.emptySortedMap();
        ParallelismOverrides asked = ParallelismOverrides.of(entries.getOrDefault(PARALLELISM, ""));
        return asked.isEmpty() || recorded(status).map(it -> isStarted(asked, it)).orElse(true)
                ? entries
                : Map.of();
    }

    private static SortedMap<String, String> read(HasMetadata resource) {
        Map<String, String> annotations =
                Optional.ofNullable(resource.getMetadata().getAnnotations()).orElseGet(Map::of);
        SortedMap<String, String> entries = new TreeMap<>();
        LONGEST.keySet()
                .forEach(
                        entry ->
                                Optional.ofNullable(annotations.get(PREFIX + entry))
                                        .ifPresent(text -> entries.put(entry, text)));
        return entries;
    }

    /** Those of the spec that was reconciled last; empty before the first one. */
    private static Optional<ParallelismOverrides> recorded(Optional<ObjectNode> status) {
        return status.map(FlinkDeploymentStatus::of)
                .flatMap(it -> it.reconciliationStatus().lastReconciledSpec())
                .flatMap(ReconciledSpec::decode)
                .map(it -> FlinkDeploymentSpec.parse(it.spec(), "spec").value())
                .map(it -> ParallelismOverrides.in(it.flinkConfiguration()));
    }

    /** The autoscaler may leave vertices out, and the user may have overrides of others. */
    private static boolean isStarted(ParallelismOverrides asked, ParallelismOverrides recorded) {
        Map<String, Integer> common = new TreeMap<>(recorded.byVertex());
        common.keySet().retainAll(asked.byVertex().keySet());
        return !common.isEmpty() && asked.byVertex().entrySet().containsAll(common.entrySet());
    }
}
