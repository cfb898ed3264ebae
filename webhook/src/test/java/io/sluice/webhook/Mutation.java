// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.util.regex.Pattern;

/** Spoils documents and bytes, by dice that fall the same way for the same seed. */
public final class Mutation {
    private static final JsonNodeFactory NEW = JsonNodeFactory.instance;
    private static final int LONGEST_KEY = 40_000;

    /** Of two uids one is answered to, and not always the same: the API server sends one. */
    private static final Pattern KEY = Pattern.compile("\"(?!uid)[a-zA-Z]+\":");

    private static final Pattern NUMBER = Pattern.compile("(?<=:)\\d++");
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

    /** What gets dear where a reader looks back, or calls itself, for each that comes again. */
    private static final List<String> PIECES =
            List.of(
                    "_a",
                    "secret_",
                    "secret=",
                    "-eyJ",
                    "-----BEGIN PRIVATE KEY-----",
                    "http://u:p@",
                    "%2",
                    "{{name}}",
                    "${",
                    "[",
                    "{",
                    "- ",
                    "&a [*a,",
                    "\"",
                    "\\",
                    "'",
                    ",",
                    ";",
                    ":",
                    ".",
                    "9",
                    " ",
                    "\n",
                    "<",
                    "\u00e9",
                    "\ud83e\udda6",
                    "kubernetes.operator.default-configuration.namespace.a.",
                    "09:00-10:00 && ",
                    "a:1,");

    /** Bytes that are no UTF-8: too long, a half of a pair, an end without a beginning. */
    private static final List<byte[]> NO_UTF_8 =
            List.of(
                    new byte[] {(byte) 0xc0, (byte) 0x80},
                    new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
                    new byte[] {(byte) 0xf8, (byte) 0x88, (byte) 0x80, (byte) 0x80},
                    new byte[] {(byte) 0xff, (byte) 0xfe},
                    new byte[] {(byte) 0x80},
                    new byte[] {(byte) 0xf0, (byte) 0x9f});

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

    public Mutation(Random dice) {
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

    /**
     * {@code body} as it is, cut off, with some bytes changed, doubled or wrapped up, in another
     * encoding, or with keys that come again.
     */
    public byte[] bytes(byte[] body) {
        return switch (dice.nextInt(10)) {
            case 0 -> Arrays.copyOf(body, dice.nextInt(body.length));
            case 1 -> spoilt(body);
            case 2 -> wrapped(body);
            case 3 -> doubled(body);
            case 4 -> inserted(body, dice.nextInt(body.length), oneOf(NO_UTF_8));
            case 5 -> sameKeys(body);
            case 6 -> longNumber(body);
            case 7 ->
                    new String(body, UTF_8)
                            .getBytes(oneOf(List.of(UTF_16LE, UTF_16BE, ISO_8859_1)));
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
        return switch (dice.nextInt(60)) {
            case 0 -> NEW.textNode(longText());
            case 1 -> wide();
            case 2 -> NEW.objectNode().set(key(), value());
            case 3 -> NEW.numberNode(new BigInteger(3000, dice));
            case 4 -> NEW.numberNode(new BigDecimal("1e" + oneOf(List.of("", "-")) + "99999999"));
            default -> plainValue();
        };
    }

    /** Some pieces of text again and again, up to 64 KiB and seldom as long. */
    private String longText() {
        StringBuilder text = new StringBuilder(oneOf(WORDS)).append(oneOf(PIECES));
        String one = oneOf(PIECES);
        String other = dice.nextInt(4) == 0 ? oneOf(PIECES) : "";
        for (int left = upTo(12); left > 0; left--) {
            text.append(one).append(other);
        }
        return text.append(oneOf(PIECES)).toString();
    }

    /** Names of more than 50,000 characters are no JSON for the webhook. */
    private String key() {
        String text = longText();
        return text.length() <= LONGEST_KEY ? text : text.substring(0, LONGEST_KEY);
    }

    /** Many fields or elements, of names that are known, alike, or of no meaning. */
    private JsonNode wide() {
        int many = upTo(11);
        if (dice.nextBoolean()) {
            ArrayNode array = NEW.arrayNode();
            for (int i = 0; i < many; i++) {
                array.add(dice.nextInt(20) == 0 ? plainValue() : NEW.textNode(oneOf(WORDS)));
            }
            return array;
        }
        ObjectNode object = NEW.objectNode();
        String prefix = oneOf(List.of("", "kubernetes.operator.", "job.autoscaler.", "secret_"));
        for (int i = 0; i < many; i++) {
            object.set(
                    prefix + oneOf(FIELDS) + i,
                    dice.nextInt(20) == 0 ? plainValue() : NEW.textNode(oneOf(WORDS)));
        }
        return object;
    }

    /** Below two to the power of {@code bits}, and as often below each power before. */
    private int upTo(int bits) {
        return dice.nextInt(1 << (1 + dice.nextInt(bits)));
    }

    private JsonNode plainValue() {
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

    private static byte[] inserted(byte[] body, int at, byte[] piece) {
        byte[] longer = Arrays.copyOf(body, body.length + piece.length);
        System.arraycopy(piece, 0, longer, at, piece.length);
        System.arraycopy(body, at, longer, at + piece.length, body.length - at);
        return longer;
    }

    /** A key of {@code body} once more, and again, before it comes. */
    private byte[] sameKeys(byte[] body) {
        String text = new String(body, UTF_8);
        List<Integer> keys = KEY.matcher(text).results().map(found -> found.start()).toList();
        int at = oneOf(keys);
        String key = text.substring(at, text.indexOf(':', at));
        String again = (key + ":" + plainValue() + ",").repeat(1 + upTo(9));
        return (text.substring(0, at) + again + text.substring(at)).getBytes(UTF_8);
    }

    private byte[] longNumber(byte[] body) {
        String text = new String(body, UTF_8);
        String digits = oneOf(List.of("9", "0.0", "1e9", "-1")) + "9".repeat(upTo(13));
        return NUMBER.matcher(text).replaceFirst(digits).getBytes(UTF_8);
    }

    private static byte[] doubled(byte[] body) {
        byte[] doubled = Arrays.copyOf(body, 2 * body.length);
        System.arraycopy(body, 0, doubled, body.length, body.length);
        return doubled;
    }
}
