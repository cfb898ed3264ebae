// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Predicate;

/** The values that a FlinkDeployment's spec gets where its author wrote none. */
public final class Defaults {
    /**
     * One value filled in.
     *
     * @param id stable, kebab-case
     * @param parent the object it goes into, directly below the spec
     * @param applies whether a spec gets it at all
     */
    public record Default(
            String id, String parent, String field, String value, Predicate<ObjectNode> applies) {}

    public static final List<Default> ALL =
            List.of(
                    new Default("default-job-state", "job", "state", "running", Defaults::hasJob),
                    new Default(
                            "default-upgrade-mode",
                            "job",
                            "upgradeMode",
                            "stateless",
                            Defaults::hasJob));

    private Defaults() {}

    /** A copy of {@code spec} with every default filled in; applying it again changes nothing. */
    public static ObjectNode apply(ObjectNode spec) {
        ObjectNode completed = spec.deepCopy();
        ALL.stream()
                .filter(each -> each.applies().test(completed))
                .filter(each -> isAbsent(completed.path(each.parent()).path(each.field())))
                .forEach(
                        each ->
                                completed
                                        .withObjectProperty(each.parent())
                                        .put(each.field(), each.value()));
        return completed;
    }

    private static boolean hasJob(ObjectNode spec) {
        return spec.path("job").isObject();
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }
}
