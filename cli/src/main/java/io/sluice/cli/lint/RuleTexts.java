// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.RuleCatalogue;
import io.sluice.rules.review.Rule;
import io.sluice.rules.review.SchemaRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the reference says of each rule, and in which of its sections. */
final class RuleTexts {
    /**
     * @param why what goes wrong without the rule
     * @param section the anchor in docs/reference/rules.md
     */
    record Entry(String why, String section) {}

    private static final Map<String, Entry> BY_ID = load();

    private RuleTexts() {}

    /** The text of a rule; a rule that is in no list is described by its id. */
    static Entry of(String id) {
        return BY_ID.getOrDefault(id, new Entry(id, "rules"));
    }

    private static Map<String, Entry> load() {
        Map<String, Entry> texts = new LinkedHashMap<>();
        for (SchemaRule rule : SchemaRule.values()) {
            texts.put(rule.id(), new Entry(rule.why(), "the-api-server"));
        }
        for (ResourceKind kind : ResourceKind.values()) {
            String section = kind.wire().toLowerCase(Locale.ROOT);
            for (Rule<?> rule : RuleCatalogue.BY_KIND.getOrDefault(kind, List.of())) {
                texts.putIfAbsent(rule.id(), new Entry(rule.why(), section));
            }
        }
        RuleCatalogue.WARNINGS.forEach(
                advice -> texts.putIfAbsent(advice.id(), new Entry(advice.why(), "warnings")));
        return texts;
    }
}
