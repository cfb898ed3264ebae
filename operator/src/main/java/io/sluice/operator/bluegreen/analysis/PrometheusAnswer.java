// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.analysis;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.rules.config.option.OptionType;
import java.io.IOException;
import java.util.Optional;

/**
 * What came of a query. Whoever answers is not trusted: only one finite number is taken out of the
 * answer, and nothing of its words is shown.
 */
public sealed interface PrometheusAnswer {
    /** The one value of the result. */
    record Known(double value) implements PrometheusAnswer {}

    /**
     * @param why for people; names neither the address nor what was answered
     */
    record Unknown(String why) implements PrometheusAnswer {}

    /** Bytes of an answer that are read. The answer to a query with one value has some hundred. */
    int MOST_BYTES = 1 << 16;

    /**
     * Reads the body of a successful answer of {@code /api/v1/query}.
     *
     * @param body at most {@link #MOST_BYTES} of it
     */
    static PrometheusAnswer read(byte[] body) {
        JsonNode answer;
        try {
            answer = Json.READER.readTree(body);
        } catch (JsonProcessingException notJson) {
            return new Unknown("Prometheus' answer is no JSON, or too deep.");
        } catch (IOException unread) {
            return new Unknown("Prometheus' answer can't be read.");
        }
        JsonNode result = answer.at("/data/result");
        if (!answer.path("status").asText("").equals("success")) {
            return new Unknown("Prometheus' answer is not one to a query.");
        }
        return switch (answer.at("/data/resultType").asText("")) {
            case "scalar" -> value(result);
            case "vector" ->
                    result.size() == 1
                            ? value(result.path(0).path("value"))
                            : new Unknown(
                                    result.isEmpty()
                                            ? "The query gives no value."
                                            : "The query gives "
                                                    + result.size()
                                                    + " values; it has to give one.");
            default -> new Unknown("The query gives no single value.");
        };
    }

    /** {@code [1435781451.781, "1"]}. */
    private static PrometheusAnswer value(JsonNode sample) {
        return Optional.of(sample.path(1))
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .flatMap(OptionType.DECIMAL::read)
                .filter(value -> Double.isFinite(value))
                .<PrometheusAnswer>map(Known::new)
                .orElseGet(() -> new Unknown("The value of the query is no finite number."));
    }

    /** Reads within limits. */
    enum Json {
        ;
        private static final ObjectMapper READER =
                new ObjectMapper(
                        JsonFactory.builder()
                                .streamReadConstraints(
                                        StreamReadConstraints.builder()
                                                .maxNestingDepth(20)
                                                .maxStringLength(MOST_BYTES)
                                                .maxNumberLength(100)
                                                .build())
                                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                                .build());
    }
}
