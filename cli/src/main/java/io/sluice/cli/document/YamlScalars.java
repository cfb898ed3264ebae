// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * What a scalar means to {@code kubectl}, which reads YAML 1.1 as sigs.k8s.io/yaml does: {@code
 * yes}, {@code on} and {@code y} are true, {@code 0x10} is 16, {@code 010} is 8, {@code 1_000} is
 * 1000, {@code 1.0} is sent as 1, and {@code 1:30} and dates are text.
 */
final class YamlScalars {
    private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> TRUE =
            Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
    private static final Set<String> FALSE =
            Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
    private static final Set<Tag> RESOLVED = Set.of(Tag.NULL, Tag.BOOL, Tag.INT, Tag.FLOAT);
    private static final Pattern FLOAT =
            Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");

    /** Whole numbers below it are written without an exponent, and are exact enough. */
    private static final double LARGEST_WHOLE = 1e18;

    private static final int BITS_OF_AN_INT = 31;
    private static final int BITS_OF_A_LONG = 63;

    private static final Resolver RESOLVER = new Resolver();

    private YamlScalars() {}

    static JsonNode read(ScalarNode node) {
        String text = node.getValue();
        boolean isTagged = !RESOLVER.resolve(NodeId.scalar, text, true).equals(node.getTag());
        return node.isPlain() && (!isTagged || RESOLVED.contains(node.getTag()))
                ? plain(text)
                : TextNode.valueOf(text);
    }

    private static JsonNode plain(String text) {
        if (NULLS.contains(text)) {
            return NullNode.getInstance();
        }
        if (TRUE.contains(text) || FALSE.contains(text)) {
            return BooleanNode.valueOf(TRUE.contains(text));
        }
        String digits = text.replace("_", "");
        return integer(digits).or(() -> decimal(digits)).orElseGet(() -> TextNode.valueOf(text));
    }

    private static Optional<JsonNode> integer(String text) {
        boolean isNegative = text.startsWith("-");
        String unsigned = isNegative || text.startsWith("+") ? text.substring(1) : text;
        int radix = radix(unsigned);
        String digits = unsigned.substring(prefix(unsigned, radix));
        boolean isNumber =
                !digits.isEmpty()
                        && digits.chars().allMatch(c -> c < 128 && Character.digit(c, radix) >= 0);
        return isNumber ? whole(isNegative ? "-" + digits : digits, radix) : Optional.empty();
    }

    private static int radix(String unsigned) {
        if (unsigned.length() < 2 || unsigned.charAt(0) != '0') {
            return 10;
        }
        return switch (unsigned.charAt(1)) {
            case 'x', 'X' -> 16;
            case 'b', 'B' -> 2;
            default -> 8;
        };
    }

    private static int prefix(String unsigned, int radix) {
        return switch (radix) {
            case 10 -> 0;
            case 8 -> unsigned.startsWith("0o") || unsigned.startsWith("0O") ? 2 : 1;
            default -> 2;
        };
    }

    /** A number of up to 64 bits; larger ones are read as decimal ones. */
    private static Optional<JsonNode> whole(String digits, int radix) {
        var number = new BigInteger(digits, radix);
        var factory = JsonNodeFactory.instance;
        if (number.bitLength() <= BITS_OF_AN_INT) {
            return Optional.of(factory.numberNode(number.intValueExact()));
        }
        if (number.bitLength() <= BITS_OF_A_LONG) {
            return Optional.of(factory.numberNode(number.longValueExact()));
        }
        boolean isUnsigned = number.signum() > 0 && number.bitLength() == BITS_OF_A_LONG + 1;
        return isUnsigned ? Optional.of(factory.numberNode(number)) : Optional.empty();
    }

    private static Optional<JsonNode> decimal(String text) {
        if (!FLOAT.matcher(text).matches()) {
            return Optional.empty();
        }
        double number = Double.parseDouble(text);
        if (Double.isInfinite(number)) {
            return Optional.empty();
        }
        boolean isWhole = number == Math.rint(number) && Math.abs(number) < LARGEST_WHOLE;
        return isWhole
                ? whole(Long.toString((long) number), 10)
                : Optional.of(DoubleNode.valueOf(number));
    }
}
