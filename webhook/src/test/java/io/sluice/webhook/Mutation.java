// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Spoils documents and bytes, by dice that fall the same way for the same seed. */
final class Mutation {
    private static final JsonNodeFactory NEW = JsonNodeFactory.instance;
    private static final List<String> WORDS =
            List.of(
                    "",
                    " ",
                    "0",
                    "-1",
                    "1g",
                    "1 gb",
                    "99999999999999999999g",
                    "1e400",
                    "NaN",
                    "v1_20",
                    "v2_0",
                    "v9_9",
                    "native",
                    "savepoint",
                    "last-state",
                    "null",
                    "true",
                    "a.b",
                    "a.b.c",
                    "s3://x",
                    "http://127.0.0.1/x.jar",
                    "%zz",
                    "\u0000",
                    "\ud800",
                    "{{",
                    "{{name}}.example.org",
                    "kubernetes.cluster-id",
                    "10 min",
                    "P1D",
                    "🦦",
                    "0 0 * * * ?",
                    "09:00-10:00 && 0 0 * * * ?",
                    "x".repeat(5000));
    private static final List<String> FIELDS =
            List.of(
                    "job",
                    "jobManager",
                    "taskManager",
                    "resource",
                    "resources",
                    "requests",
                    "limits",
                    "memory",
                    "cpu",
                    "replicas",
                    "parallelism",
                    "upgradeMode",
                    "flinkConfiguration",
                    "ingress",
                    "template",
                    "podTemplate",
                    "flinkVersion",
                    "mode",
                    "deploymentName",
                    "jarURI",
                    "savepoint",
                    "checkpoint",
                    "jobReference",
                    "logConfiguration",
                    "serviceAccount",
                    "savepointTriggerNonce",
                    "unheard-of");

    private final Random dice;

    Mutation(Random dice) {
        this.dice = dice;
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(dice.nextInt(choices.size()));
    }

    /** {@code document} with up to six changes anywhere in it. */
    JsonNode of(ObjectNode document) {
        if (dice.nextInt(40) == 0) {
            return value();
        }
        for (int left = dice.nextInt(7); left > 0; left--) {
            change(document);
        }
        return document;
    }

    /** {@code body} as it is, cut off, or with some bytes changed, doubled or wrapped up. */
    byte[] bytes(byte[] body) {
        return switch (dice.nextInt(6)) {
            case 0 -> Arrays.copyOf(body, dice.nextInt(body.length));
            case 1 -> spoilt(body);
            case 2 -> wrapped(body);
            case 3 -> doubled(body);
            default -> body;
        };
    }

    private void change(ObjectNode document) {
        List<ObjectNode> objects = new ArrayList<>();
        collect(document, objects);
        ObjectNode object = oneOf(objects);
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        String name = names.isEmpty() || dice.nextInt(3) == 0 ? oneOf(FIELDS) : oneOf(names);
        if (dice.nextInt(5) == 0) {
            object.remove(name);
        } else {
            object.set(name, value());
        }
    }

    private static void collect(JsonNode node, List<ObjectNode> found) {
        if (node instanceof ObjectNode object) {
            found.add(object);
        }
        node.forEach(child -> collect(child, found));
    }

    private JsonNode value() {
        return switch (dice.nextInt(12)) {
            case 0 -> NEW.nullNode();
            case 1 -> NEW.booleanNode(dice.nextBoolean());
            case 2 -> NEW.numberNode(dice.nextInt());
            case 3 -> NEW.numberNode(dice.nextInt(5) - 2);
            case 4 -> NEW.numberNode(new BigInteger(300, dice));
            case 5 -> NEW.numberNode(new BigDecimal("1e" + (dice.nextInt(800) - 400)));
            case 6 -> NEW.objectNode();
            case 7 -> NEW.objectNode().set(oneOf(FIELDS), NEW.textNode(oneOf(WORDS)));
            case 8 -> NEW.arrayNode().add(oneOf(WORDS)).add(dice.nextInt());
            case 9 -> deep(dice.nextInt(30)); // six within one another stay within the bound
            default -> NEW.textNode(oneOf(WORDS));
        };
    }

    private JsonNode deep(int levels) {
        JsonNode node = NEW.textNode(oneOf(WORDS));
        for (int i = 0; i < levels; i++) {
            node =
                    dice.nextBoolean()
                            ? NEW.objectNode().set(oneOf(FIELDS), node)
                            : new ArrayNode(NEW).add(node);
        }
        return node;
    }

    private byte[] spoilt(byte[] body) {
        byte[] spoilt = body.clone();
        for (int left = 1 + dice.nextInt(8); left > 0; left--) {
            spoilt[dice.nextInt(spoilt.length)] = (byte) dice.nextInt(256);
        }
        return spoilt;
    }

    private byte[] wrapped(byte[] body) {
        int levels = dice.nextInt(5000);
        byte[] wrapped = new byte[levels + body.length];
        Arrays.fill(wrapped, 0, levels, (byte) (dice.nextBoolean() ? '[' : '{'));
        System.arraycopy(body, 0, wrapped, levels, body.length);
        return wrapped;
    }

    private static byte[] doubled(byte[] body) {
        byte[] doubled = Arrays.copyOf(body, 2 * body.length);
        System.arraycopy(body, 0, doubled, body.length, body.length);
        return doubled;
    }
}
