// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An element of {@code status.transition.checks}: what a check of the analysis has come to.
 *
 * @param name of the check
 * @param value at the last look, with six digits at most; empty if it was not known then
 * @param bound what passes, for people
 * @param failures at how many looks it has failed since it last passed
 * @param why the value was not known, for people
 */
public record TransitionCheck(
        String name, Optional<Double> value, String bound, int failures, Optional<String> why) {
    private static final MathContext DIGITS = new MathContext(6);
    private static final Pattern NUMBER =
            Pattern.compile("-?\\d{1,20}(\\.\\d{1,20})?(E[+-]?\\d{1,3})?");
    private static final Pattern AT_LEAST =
            Pattern.compile("at least (-?\\d{1,20}(?:\\.\\d{1,20})?)");
    private static final Pattern AT_MOST =
            Pattern.compile("at most (-?\\d{1,20}(?:\\.\\d{1,20})?)");

    public TransitionCheck {
        value = value.map(TransitionCheck::rounded);
    }

    /** The value as the status and messages have it; empty if it is not known. */
    public Optional<String> shown() {
        return value.map(it -> BigDecimal.valueOf(it).stripTrailingZeros())
                .map(it -> Math.abs(it.scale()) > 9 ? it.toString() : it.toPlainString());
    }

    /** The least value that passes; empty if none is too small. */
    public Optional<Double> least() {
        return bound(AT_LEAST);
    }

    /** The greatest value that passes; empty if none is too great. */
    public Optional<Double> most() {
        return bound(AT_MOST);
    }

    private Optional<Double> bound(Pattern which) {
        Matcher found = which.matcher(bound);
        return found.find() ? Optional.of(Double.valueOf(found.group(1))) : Optional.empty();
    }

    private static double rounded(double value) {
        return BigDecimal.valueOf(value).round(DIGITS).doubleValue();
    }

    static TransitionCheck read(Fields fields) {
        return new TransitionCheck(
                fields.string("name").orElse(""),
                fields.string("value")
                        .filter(text -> NUMBER.matcher(text).matches())
                        .map(Double::valueOf)
                        .filter(Double::isFinite),
                fields.string("bound").orElse(""),
                fields.int32("failures").orElse(0),
                fields.string("why"));
    }

    void writeTo(ObjectNode node) {
        node.put("name", name);
        StatusJson.put(node, "value", shown());
        node.put("bound", bound).put("failures", failures);
        StatusJson.put(node, "why", why);
    }
}
