// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Flink's JSON for an endpoint, written token by token: names and shapes are Flink's, and any value
 * may be another one, doubled, missing, far too long, too deep or too wide.
 */
final class FuzzedJson {
    private static final String ID = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    /** What stands for a value that is diced: a number, a text, or one of the shapes below. */
    private static final Map<String, String> SHAPES =
            new TreeMap<>(
                            Map.of(
                                    "/jobs/overview",
                                    "{\"jobs\":[{\"jid\":T,\"name\":T,\"start-time\":N,\"end-time\":N,\"duration\":N,\"state\":S,"
                                            + "\"last-modification\":N,\"tasks\":{\"running\":N,\"finished\":N,\"total\":N},"
                                            + "\"pending-operators\":N},{\"jid\":T,\"state\":S}]}",
                                    "/exceptions",
                                    "{\"root-exception\":T,\"timestamp\":N,\"exceptionHistory\":{\"entries\":[{\"exceptionName\":T,"
                                            + "\"stacktrace\":T,\"timestamp\":N,\"taskName\":T,\"endpoint\":T,\"taskManagerId\":T,"
                                            + "\"failureLabels\":{\"a\":T}}],\"truncated\":B}}",
                                    "/checkpoints",
                                    "{\"counts\":{\"restored\":N,\"total\":N},\"latest\":{\"completed\":{\"id\":N,\"status\":T,"
                                            + "\"is_savepoint\":B,\"trigger_timestamp\":N,\"external_path\":T,\"discarded\":B},"
                                            + "\"savepoint\":V,\"failed\":V,\"restored\":{\"id\":N,\"restore_timestamp\":N,"
                                            + "\"external_path\":T}},\"history\":[{\"id\":N,\"status\":S,\"is_savepoint\":B,"
                                            + "\"num_subtasks\":N,\"num_acknowledged_subtasks\":N,\"external_path\":T}]}",
                                    "/taskmanagers",
                                    "{\"taskmanagers\":[{\"id\":T,\"slotsNumber\":N},{}]}",
                                    "/config",
                                    "{\"flink-version\":T,\"flink-revision\":T,\"refresh-interval\":N,\"features\":{\"a\":B}}",
                                    "/savepoints",
                                    "{\"status\":{\"id\":S},\"operation\":{\"location\":T,\"failure-cause\":{\"class\":T,\"stack-trace\":T,"
                                            + "\"serialized-throwable\":T}}}",
                                    "/resource-requirements",
                                    "{\""
                                            + ID
                                            + "\":{\"parallelism\":{\"lowerBound\":N,\"upperBound\":N}},T:{\"parallelism\":V}}",
                                    "/execution-result",
                                    "{\"status\":{\"id\":S},\"job-execution-result\":{\"id\":T,\"application-status\":S,"
                                            + "\"accumulator-results\":{},\"net-runtime\":N,\"failure-cause\":{\"class\":T,"
                                            + "\"stack-trace\":T,\"serialized-throwable\":T}}}",
                                    "/metrics",
                                    "[{\"id\":T,\"value\":N},{\"id\":\"uptime\",\"value\":T},{\"id\":\"uptime\",\"min\":N,\"max\":N,"
                                            + "\"avg\":N,\"sum\":N}]",
                                    "",
                                    "{\"jid\":\""
                                            + ID
                                            + "\",\"name\":T,\"isStoppable\":B,\"state\":S,\"job-type\":S,\"start-time\":N,\"end-time\":N,"
                                            + "\"duration\":N,\"maxParallelism\":N,\"now\":N,\"timestamps\":{\"RUNNING\":N,S:N},"
                                            + "\"vertices\":[{\"id\":\""
                                            + ID
                                            + "\",\"slotSharingGroupId\":T,\"name\":T,\"maxParallelism\":N,\"parallelism\":N,\"status\":S,"
                                            + "\"start-time\":N,\"end-time\":N,\"duration\":N,\"tasks\":{\"RUNNING\":N,S:N},"
                                            + "\"metrics\":{\"read-bytes\":N,\"read-bytes-complete\":B,\"accumulated-busy-time\":N}}],"
                                            + "\"status-counts\":{S:N},\"plan\":{\"jid\":T,\"name\":T,\"type\":S,\"nodes\":[{\"id\":T,"
                                            + "\"parallelism\":N,\"inputs\":[{\"num\":N,\"id\":T,\"ship_strategy\":S}]}]},"
                                            + "\"filename\":T,\"request-id\":T,\"status\":V,\"errors\":[T,T]}"))
                    .descendingMap();

    private static final List<String> NUMBERS =
            List.of(
                    "NaN",
                    "Infinity",
                    "-Infinity",
                    "1e999",
                    "-1e999",
                    "1e-999",
                    "1e999999999",
                    "-0",
                    "-1",
                    "9223372036854775807",
                    "9223372036854775808",
                    "-9223372036854775809",
                    "2147483648",
                    "0.1",
                    "01",
                    "0x1",
                    "1.",
                    ".5",
                    "+1",
                    "1_000",
                    "\"1\"",
                    "\"NaN\"");
    private static final List<String> STATES =
            List.of(
                    "\"RUNNING\"",
                    "\"FINISHED\"",
                    "\"FAILED\"",
                    "\"CANCELED\"",
                    "\"RESTARTING\"",
                    "\"SUSPENDED\"",
                    "\"COMPLETED\"",
                    "\"IN_PROGRESS\"",
                    "\"STREAMING\"",
                    "\"running\"",
                    "\"\"",
                    "\"UNHEARD_OF\"");
    private static final List<String> TEXTS =
            List.of(
                    "\"\"",
                    "\"orders\"",
                    "\"s3://savepoints/savepoint-1\"",
                    "\"\\ud800\"",
                    "\"\\udc00\\ud800\"",
                    "\"\\u0000\\u001b[31m\"",
                    "\"\u2028\u202e\ufeff\"",
                    "\"\ud83e\udda6\"",
                    "\"<script>alert(1)</script>\"",
                    "\"a\\nb\\r\\nSet-Cookie: c\"",
                    "\"\u0001\"",
                    "\"\\x\"",
                    "\"not closed",
                    "\"A savepoint has been created at: file:/d/sp-1, but the corresponding job "
                            + ID
                            + " failed\"");

    private final Random dice;

    FuzzedJson(Random dice) {
        this.dice = dice;
    }

    /** What {@code path} is answered with. */
    String of(String path) {
        String shape =
                SHAPES.entrySet().stream()
                        .filter(each -> path.contains(each.getKey()))
                        .findFirst()
                        .orElseThrow()
                        .getValue();
        int wrong = dice.nextInt(3) == 0 ? 0 : 1 + dice.nextInt(6);
        String text = filled(shape, wrong);
        return switch (dice.nextInt(40)) {
            case 0 -> text.substring(0, dice.nextInt(text.length()));
            case 1 -> text + text;
            case 2 -> "[".repeat(dice.nextInt(5000)) + text;
            case 3 -> "{\"a\":".repeat(dice.nextInt(5000)) + text;
            case 4 -> value();
            case 5 -> "";
            case 6 -> "{\"unheard-of\":" + wide() + "," + text.substring(1);
            default -> text;
        };
    }

    /** Each capital letter that stands where a value or a name does is replaced. */
    private String filled(String shape, int wrong) {
        var text = new StringBuilder();
        boolean quoted = false;
        for (int at = 0; at < shape.length(); at++) {
            char each = shape.charAt(at);
            quoted ^= each == '"';
            boolean isWrong = dice.nextInt(12) < wrong;
            if (quoted || "TNSBV".indexOf(each) < 0) {
                text.append(each);
                if (!quoted && each == ',' && isWrong && dice.nextInt(6) == 0) {
                    text.append(oneOf(List.of(",", "\"a\":1,", "null,", "{},", "/* */", " ")));
                }
            } else {
                text.append(isWrong ? value() : right(each));
            }
        }
        return text.toString();
    }

    private String right(char kind) {
        return switch (kind) {
            case 'T' -> "\"" + ID + "\"";
            case 'N' -> Integer.toString(dice.nextInt(100));
            case 'S' -> STATES.getFirst();
            case 'B' -> Boolean.toString(dice.nextBoolean());
            default -> "null";
        };
    }

    private String value() {
        return switch (dice.nextInt(14)) {
            case 0 -> "null";
            case 1 -> "{}";
            case 2 -> "[]";
            case 3 -> Boolean.toString(dice.nextBoolean());
            case 4 -> "1" + "9".repeat(dice.nextInt(3000));
            case 5 -> "\"" + "x".repeat(dice.nextInt(100_000)) + "\"";
            case 6 -> "\"" + "secret_a-token.password=".repeat(dice.nextInt(3000)) + "\"";
            case 7 -> wide();
            case 8 -> "[".repeat(dice.nextInt(200)) + "]".repeat(dice.nextInt(200));
            case 9 -> oneOf(STATES);
            case 10, 11 -> oneOf(NUMBERS);
            default -> oneOf(TEXTS);
        };
    }

    private String wide() {
        int many = dice.nextInt(dice.nextInt(20) == 0 ? 50_000 : 200);
        return switch (dice.nextInt(4)) {
            case 0 -> "[0" + ",0".repeat(many) + "]";
            case 1 -> "[{}" + ",{}".repeat(many) + "]";
            case 2 -> "{\"a\":1" + ",\"a\":1".repeat(many) + "}";
            default -> "[\"\"" + ",\"name\"".repeat(many) + "]";
        };
    }

    private String oneOf(List<String> choices) {
        return choices.get(dice.nextInt(choices.size()));
    }
}
