// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.cluster.SafeText;
import java.util.Locale;

/** An explanation for programs: one object. */
final class WhyJson {
    private WhyJson() {}

    static String of(Explanation explanation) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        write(explanation, root);
        return root.toPrettyString() + "\n";
    }

    private static void write(Explanation explanation, ObjectNode node) {
        node.put("kind", explanation.kind().wire())
                .put("namespace", explanation.namespace())
                .put("name", explanation.name())
                .put("verdict", explanation.verdict().name().toLowerCase(Locale.ROOT))
                .put("reason", explanation.reason());
        explanation.since().ifPresent(at -> node.put("since", at.toString()));
        ArrayNode sentences = node.putArray("state");
        explanation.sentences().forEach(sentences::add);
        explanation.missing().forEach(sentences::add);
        if (explanation.events() instanceof Picture.Events.Listed(var lines)) {
            ArrayNode events = node.putArray("events");
            lines.forEach(event -> write(event, events.addObject()));
        }
        ArrayNode remedies = node.putArray("whatToDo");
        explanation.remedies().forEach(remedies::add);
        ArrayNode related = node.putArray("related");
        explanation.related().forEach(each -> write(each, related.addObject()));
    }

    private static void write(EventLine event, ObjectNode node) {
        node.put("at", event.at().toString())
                .put("type", event.isWarning() ? "Warning" : "Normal")
                .put("reason", SafeText.line(event.reason(), 100))
                .put("message", SafeText.line(event.message().strip(), 1024))
                .put("count", event.count());
    }
}
