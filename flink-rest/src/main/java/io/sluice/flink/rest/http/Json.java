// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.sluice.flink.rest.AnswerLimit;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads JSON within limits. */
record Json(JsonFactory factory, AnswerLimits limits) {
    static Json within(AnswerLimits limits) {
        return new Json(
                JsonFactory.builder()
                        .streamReadConstraints(limits.json())
                        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                        .build(),
                limits);
    }

    /**
     * What {@code reader} makes of {@code body}, all of which is looked at; empty too where that is
     * cut off or no JSON.
     *
     * @throws AnswerTooLarge if a limit is exceeded
     * @throws IOException if the body can't be read
     */
    <T> Optional<T> read(InputStream body, AnswerReader<T> reader) throws IOException {
        try (var parser = factory.createParser(body)) {
            var cursor = new JsonCursor(parser, limits);
            if (!cursor.next()) {
                return Optional.empty();
            }
            Optional<T> answer = reader.read(cursor);
            cursor.skip();
            return answer;
        } catch (StreamConstraintsException exceeded) {
            throw new AnswerTooLarge(AnswerLimit.STRUCTURE, exceeded.getOriginalMessage());
        } catch (JsonProcessingException notJson) {
            return Optional.empty();
        }
    }
}
