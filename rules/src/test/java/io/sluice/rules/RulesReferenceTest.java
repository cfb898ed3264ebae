// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.defaults.Defaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RulesReferenceTest {
    private static final Path REFERENCE = Path.of("../docs/reference/rules.md");

    @Test
    void theReferenceIsWhatTheRulesSay() throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(REFERENCE.getParent());
            Files.writeString(REFERENCE, reference());
        }

        assertThat(REFERENCE)
                .as("write it anew with ./mvnw -pl rules test -Dgolden.update=true")
                .hasContent(reference());
    }

    private static String reference() {
        var text = new StringBuilder();
        text.append(
                """
                # Rules

                <!-- Generated from the list of rules; do not edit. -->

                What a FlinkDeployment must satisfy. The webhook reports every broken rule at once, as
                `rule  field: 'value' what to do`; the operator checks the same rules again at each new
                generation. Rules that begin with `no-`, and `redeploy-needs-initial-savepoint`, compare
                with the spec the operator last took up and are silent before the first deployment.
                Rules on the configuration see the operator's defaults with `spec.flinkConfiguration` on
                top.

                | rule | field | why |
                |---|---|---|
                """);
        row(
                text,
                DeploymentRules.FIELD_TYPE,
                "any",
                "A field of the wrong JSON type is never coerced.");
        DeploymentRules.ALL.forEach(rule -> row(text, rule.id(), rule.field(), rule.why()));
        text.append(
                """

                # Defaults

                Filled in where nothing is written, by the webhook and again by the operator.

                | default | field | value |
                |---|---|---|
                """);
        Defaults.ALL.forEach(
                each ->
                        row(
                                text,
                                each.id(),
                                "spec." + each.parent() + "." + each.field(),
                                "`" + each.value() + "`"));
        return text.toString();
    }

    private static void row(StringBuilder text, String id, String field, String why) {
        text.append("| `%s` | `%s` | %s |%n".formatted(id, field, why));
    }
}
