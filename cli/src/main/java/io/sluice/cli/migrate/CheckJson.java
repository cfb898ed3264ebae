// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The report for programs: one object. */
final class CheckJson {
    private CheckJson() {}

    static String of(CheckReport report) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ArrayNode resources = root.putArray("resources");
        report.resources()
                .forEach(each -> write(each, resources.addObject().put("kind", each.kind())));
        ArrayNode operators = root.putArray("operators");
        report.operators().forEach(each -> write(each, operators.addObject()));
        ArrayNode missing = root.putArray("missingRights");
        report.missing()
                .forEach(
                        right ->
                                missing.addObject()
                                        .put("verb", right.verb())
                                        .put("resource", right.resource())
                                        .put("namespace", right.namespace()));
        ArrayNode commands = root.putArray("commands");
        report.commands().forEach(commands::add);
        return root.toPrettyString() + "\n";
    }

    private static void write(MigrationVerdict judgement, ObjectNode node) {
        node.put("namespace", judgement.namespace())
                .put("name", judgement.name())
                .put("verdict", judgement.verdict().word());
        List<CheckRemark> reasons = List.of();
        List<CheckRemark> edits = List.of();
        switch (judgement.verdict()) {
            case Verdict.TakenOver _ -> {}
            case Verdict.NeedsEdit(var wanted) -> edits = wanted;
            case Verdict.Blocked(var why, var wanted) -> {
                reasons = why;
                edits = wanted;
            }
        }
        write(reasons, node.putArray("reasons"));
        write(edits, node.putArray("edits"));
        write(judgement.notes(), node.putArray("notes"));
    }

    private static void write(List<CheckRemark> remarks, ArrayNode array) {
        remarks.forEach(
                remark ->
                        array.addObject()
                                .put("id", remark.id())
                                .put("path", remark.path())
                                .put("text", remark.text()));
    }
}
