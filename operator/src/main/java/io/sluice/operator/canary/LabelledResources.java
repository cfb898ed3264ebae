// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.canary;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.operator.validation.Verdict;
import io.sluice.rules.canary.CanaryResources;
import io.sluice.rules.review.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Refuses specs of resources with the label of a canary where the configuration lets none be, as
 * admission does. Such a resource was meant to run nothing, and must not become a cluster.
 *
 * @param others are asked in any case, as the label must not spare anybody their checks
 */
public record LabelledResources(Supplier<CanaryResources> canaries, SpecValidators others)
        implements SpecValidators {
    private static final String RULE = "canary-configured";

    @Override
    public Verdict of(HasMetadata resource, ObjectNode spec) {
        Verdict verdict = others.of(resource, spec);
        Optional<String> problem = problem(resource.getMetadata());
        if (problem.isEmpty() || resource.getMetadata().getDeletionTimestamp() != null) {
            return verdict;
        }
        Stream<String> more =
                switch (verdict) {
                    case Verdict.Refused(var problems) -> problems.stream();
                    case Verdict.Accepted _, Verdict.Failed _, Verdict.Pending _ -> Stream.empty();
                };
        List<String> all = new ArrayList<>(problem.stream().toList());
        more.forEach(all::add);
        return new Verdict.Refused(all);
    }

    private Optional<String> problem(ObjectMeta metadata) {
        return canaries.get()
                .problem(metadata.getNamespace(), metadata.getName(), labels(metadata))
                .map(problem -> new Violation(RULE, problem).text());
    }

    static Map<String, String> labels(ObjectMeta metadata) {
        return Optional.ofNullable(metadata.getLabels()).orElseGet(Map::of);
    }
}
