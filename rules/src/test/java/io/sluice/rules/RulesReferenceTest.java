// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.config.option.AdmissionOptions;
import io.sluice.rules.review.Rule;
import io.sluice.rules.review.RuleSet;
import io.sluice.rules.review.SchemaRule;
import io.sluice.rules.tenancy.Grant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RulesReferenceTest {
    private static final Set<String> CRD_RULES = Fixtures.crdRules();
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

                <!-- Generated from the lists of rules; do not edit. -->

                A resource has to satisfy these rules. The webhook reports every broken rule at once, as
                `rule  field: 'value' what to do`. The operator checks the same rules again at each new
                generation, and `sluice lint` checks them before anything is applied. Rules that begin with
                `no-`, `redeploy-needs-initial-savepoint` and `deployment-name-immutable` compare with the
                last reconciled spec, and do not apply before the first deployment. Rules about the
                configuration see the operator's defaults with `spec.flinkConfiguration` on top. Rules that
                are marked *also in the CRD* hold while the webhook is down. They never prevent labels,
                finalizers or a status from being written to a resource that was stored before them.

                | rule of every kind | field | why |
                |---|---|---|
                """);
        row(text, RuleSet.FIELD_TYPE, "any", "A field of the wrong JSON type is never coerced.");
        for (ResourceKind kind : ResourceKind.values()) {
            text.append(
                    "%n## %s%n%n| rule | field | why |%n|---|---|---|%n".formatted(kind.wire()));
            for (Rule<?> rule : RuleCatalogue.BY_KIND.getOrDefault(kind, List.of())) {
                row(text, rule.id(), rule.field(), rule.why() + crd(rule.id()));
            }
        }
        text.append(
                """

                ## The subresource scale

                A HorizontalPodAutoscaler and `kubectl scale` write the subresource `scale` of a FlinkDeployment. The
                webhook checks a write that changes the number of replicas. If it can't find the FlinkDeployment, it
                admits the write. The operator and `sluice lint` see no such writes.

                | rule | field | why |
                |---|---|---|
                """);
        RuleCatalogue.OF_SCALE.forEach(each -> row(text, each.id(), each.field(), each.why()));
        text.append(
                """

                ## The API server

                The API server checks these itself before it calls the webhook, and `sluice lint` reports them under
                these ids.

                | check | field | why |
                |---|---|---|
                """);
        for (SchemaRule rule : SchemaRule.values()) {
            row(text, rule.id(), rule.field(), rule.why());
        }
        text.append(
                """

                ## Warnings

                Warnings refuse nothing. `kubectl` shows the first few of them, and `sluice lint` shows all. Admission
                gives a warning about one value when the resource is created and when that value changes.

                | warning | field | why |
                |---|---|---|
                """);
        RuleCatalogue.WARNINGS.forEach(each -> row(text, each.id(), each.field(), each.why()));
        text.append(
                """

                For a FlinkSessionJob, the rules about the configuration and about its session cluster
                apply once that cluster exists. Admission does not resolve the host of a jar: the operator
                checks its addresses when it fetches the jar.

                ## Strictness

                Whoever runs the operator chooses how strict some rules are. These options are read from the
                operator's configuration alone, never from a resource. A namespace can have its own through
                `kubernetes.operator.default-configuration.namespace.<namespace>.<key>`. The chart's
                `tenancy: shared` sets all of them: see `helm/sluice/config/shared.yaml`.

                | key | values | if not set |
                |---|---|---|
                """);
        text.append(
                "| `%s` | `deny`, `warn`, `off` | `deny` |%n"
                        .formatted(AdmissionOptions.RESTRICTED_KEYS.key()));
        text.append(
                "| `%s` | `restricted`, `baseline`, `warn` (of what baseline forbids), `off` | `warn` |%n"
                        .formatted(AdmissionOptions.POD_SECURITY.key()));
        for (Grant grant : Grant.values()) {
            text.append("| `%s` | patterns | `*` |%n".formatted(grant.key()));
        }
        text.append(
                """

                Patterns are separated by commas. A pattern is a name, a prefix followed by `*`, or for hosts
                `*.` followed by a domain, which allows everything below that domain. `*` alone allows
                everything, and `none` allows nothing. `{{name}}` and `{{namespace}}` stand for the name and
                the namespace of the resource. At most one of them may stand between two dots, because
                `{{name}}-{{namespace}}` would be the same for `a-b` in `c` and `a` in `b-c`. What the
                operator's configuration itself sets, such as an annotation of every Service, is always
                allowed.
                """);
        return text.toString();
    }

    private static String crd(String rule) {
        return CRD_RULES.contains(rule) ? " *Also in the CRD.*" : "";
    }

    private static void row(StringBuilder text, String id, String field, String why) {
        text.append("| `%s` | `%s` | %s |%n".formatted(id, field, why));
    }
}
