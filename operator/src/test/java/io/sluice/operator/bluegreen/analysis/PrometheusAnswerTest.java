// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.analysis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.bluegreen.analysis.PrometheusAnswer.Known;
import io.sluice.operator.bluegreen.analysis.PrometheusAnswer.Unknown;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusAnswerTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                """
                {"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1435781451.781,"0.25"]}]}} | 0.25
                """,
                """
                {"status":"success","data":{"resultType":"scalar","result":[1435781451.781,"1e-05"]}} | 1e-05
                """,
                """
                {"status":"success","warnings":["x"],"data":{"resultType":"vector","result":[{"metric":{"a":"b"},"value":[1,"-3"]}],"stats":{}}} | -3
                """,
            })
    void theOneValueOfTheResultIsTaken(String body, double value) {
        assertThat(read(body)).isEqualTo(new Known(value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                """
                {"status":"success","data":{"resultType":"vector","result":[]}} | gives no value
                """,
                """
                {"status":"success","data":{"resultType":"vector","result":[{"value":[1,"1"]},{"value":[1,"2"]}]}} | gives 2 values
                """,
                """
                {"status":"success","data":{"resultType":"matrix","result":[{"values":[[1,"1"]]}]}} | no single value
                """,
                """
                {"status":"success","data":{"resultType":"string","result":[1,"1"]}} | no single value
                """,
                """
                {"status":"success","data":{"resultType":"scalar","result":[1,"NaN"]}} | no finite number
                """,
                """
                {"status":"success","data":{"resultType":"scalar","result":[1,"+Inf"]}} | no finite number
                """,
                """
                {"status":"success","data":{"resultType":"scalar","result":[1,"many"]}} | no finite number
                """,
                """
                {"status":"success","data":{"resultType":"scalar","result":[1,1]}} | no finite number
                """,
                """
                {"status":"success","data":{"resultType":"scalar","result":"1"}} | no finite number
                """,
                """
                {"status":"success","data":{"resultType":"vector","result":{"a":1}}} | no finite number
                """,
                """
                {"status":"error","data":{"resultType":"scalar","result":[1,"1"]}} | not one to a query
                """,
                "[] | not one to a query",
                "1 | not one to a query",
                "<html/> | no JSON",
                "{\"status\":\"succ | no JSON",
            })
    void whatIsNotOneFiniteNumberIsUnknown(String body, String why) {
        assertThat(read(body))
                .isInstanceOfSatisfying(
                        Unknown.class, unknown -> assertThat(unknown.why()).contains(why));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void anEmptyAnswerIsUnknown(String body) {
        assertThat(read(body)).isInstanceOf(Unknown.class);
    }

    @Test
    void whatIsNestedWithoutEndIsUnknown() {
        assertThat(read("[".repeat(30_000))).isInstanceOf(Unknown.class);
        assertThat(
                        read(
                                "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\""
                                        + "1".repeat(60_000)
                                        + "\"]}}"))
                .isInstanceOf(Unknown.class);
        assertThat(read("{\"n\":" + "1".repeat(60_000) + "}")).isInstanceOf(Unknown.class);
    }

    private static PrometheusAnswer read(String body) {
        return PrometheusAnswer.read(body.getBytes(UTF_8));
    }
}
