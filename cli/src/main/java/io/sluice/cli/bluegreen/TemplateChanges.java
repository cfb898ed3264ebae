// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.cluster.SafeText;
import io.sluice.rules.diff.ChangeText;
import io.sluice.rules.diff.SpecDiff;
import java.util.ArrayList;
import java.util.List;

/** What differs between two templates of a pair, for people. Secrets are hidden. */
final class TemplateChanges {
    private TemplateChanges() {}

    /** A line for each field of the template, which may be shown on a terminal. */
    static List<String> between(ObjectNode before, ObjectNode after) {
        ObjectNode former = spec(before);
        ObjectNode present = spec(after);
        List<String> lines = new ArrayList<>();
        for (SpecDiff.Change change :
                SpecDiff.between(Pair.half(before), Pair.half(after)).changes()) {
            String text = ChangeText.of(new SpecDiff(List.of(change)), former, present);
            lines.add(text.isEmpty() ? change.path() : text);
        }
        if (!before.path("metadata").equals(after.path("metadata"))) {
            lines.add("metadata: labels or annotations");
        }
        if (lines.isEmpty() && !before.equals(after)) {
            lines.add("how values are written");
        }
        return lines.stream().distinct().map(SafeText::line).toList();
    }

    private static ObjectNode spec(ObjectNode template) {
        return template.path("spec") instanceof ObjectNode spec
                ? spec
                : JsonNodeFactory.instance.objectNode();
    }
}
