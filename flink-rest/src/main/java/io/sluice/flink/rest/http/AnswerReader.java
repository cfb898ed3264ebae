// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.io.IOException;
import java.util.Optional;

/** Makes something of an answer's JSON, element by element. */
@FunctionalInterface
interface AnswerReader<T> {
    /**
     * Empty if the core of what was asked for is not there, which means "no answer".
     *
     * @param body stands at its outermost value
     */
    Optional<T> read(JsonCursor body) throws IOException;
}
