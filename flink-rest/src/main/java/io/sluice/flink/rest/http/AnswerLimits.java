// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.flink.rest.AnswerLimit;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.stream.IntStream;

/**
 * How much of what a JobManager answers is read. A JobManager runs its users' code, and its answers
 * are read by a process that serves others too. What exceeds a bound is not read at all, except
 * that of a job's exceptions the newest are kept and long texts that are only for people are cut.
 *
 * @param listBytes of an answer that lists something
 * @param bytes of any other answer
 * @param bytesInFlight of all large answers at the same time, of all JobManagers together
 * @param jobs listed by a JobManager
 * @param vertices of a job
 * @param exceptions of a job that are kept, the newest
 * @param traceLength characters of a stack trace that are kept
 * @param checkpoints in a job's history
 * @param taskManagers registered with a JobManager
 * @param entries of a job's configuration
 * @param tokens of JSON in one answer
 * @param textLength characters of one text
 */
@RecordBuilder
public record AnswerLimits(
        int listBytes,
        int bytes,
        int bytesInFlight,
        int jobs,
        int vertices,
        int exceptions,
        int traceLength,
        int checkpoints,
        int taskManagers,
        int entries,
        int tokens,
        int textLength)
        implements AnswerLimitsBuilder.With {
    private static final int KIB = 1024;

    /** A field's name; Flink's longest are ids of vertices. */
    private static final int NAME_LENGTH = 1000;

    private static final int NUMBER_LENGTH = 100;
    private static final int NESTING = 50;

    /** The name of a job or a vertex is cut to so many characters. */
    static final int TITLE_LENGTH = 4 * KIB;

    /** So many bytes of memory are allowed for each byte that becomes part of an object. */
    static final int WEIGHT_OF_OBJECTS = 8;

    /** So much of each answer is read without asking {@link BodyBudget}. */
    static final int SMALL = 16 * KIB;

    public AnswerLimits {
        boolean isPositive =
                IntStream.of(
                                listBytes,
                                bytes,
                                bytesInFlight,
                                jobs,
                                vertices,
                                exceptions,
                                traceLength,
                                checkpoints,
                                taskManagers,
                                entries,
                                tokens,
                                textLength)
                        .allMatch(each -> each > 0);
        if (!isPositive) {
            throw new IllegalArgumentException("each limit of an answer must be 1 or more");
        }
        if (bytesInFlight < 2 * Math.max(listBytes, bytes)) {
            throw new IllegalArgumentException(
                    "%s=%d must be at least twice the largest answer, %d bytes"
                            .formatted(
                                    AnswerLimit.IN_FLIGHT.setBy(),
                                    bytesInFlight,
                                    Math.max(listBytes, bytes)));
        }
    }

    /** Of an answer that becomes objects as a whole, each token of which takes memory. */
    AnswerLimits ofObjects() {
        return withTokens(Math.max(1, tokens / 4));
    }

    /** The largest number that is within {@code limit}. */
    int of(AnswerLimit limit) {
        return switch (limit) {
            case LIST_SIZE -> listBytes;
            case SIZE -> bytes;
            case HEADERS -> Integer.MAX_VALUE;
            case JOBS -> jobs;
            case VERTICES -> vertices;
            case CHECKPOINTS -> checkpoints;
            case TASK_MANAGERS -> taskManagers;
            case ENTRIES -> entries;
            case TOKENS -> tokens;
            case STRUCTURE -> textLength;
            case IN_FLIGHT -> bytesInFlight;
        };
    }

    /** Makes trees of whole answers, and refuses an answer that exceeds one of these limits. */
    public ObjectMapper trees() {
        return new ObjectMapper(
                JsonFactory.builder()
                        .streamReadConstraints(
                                json().rebuild()
                                        .maxDocumentLength(listBytes)
                                        .maxTokenCount(ofObjects().tokens)
                                        .build())
                        .build());
    }

    /** Tokens are counted elsewhere, so that the bound that bites is known. */
    StreamReadConstraints json() {
        return StreamReadConstraints.builder()
                .maxNestingDepth(NESTING)
                .maxNumberLength(NUMBER_LENGTH)
                .maxNameLength(NAME_LENGTH)
                .maxStringLength(textLength)
                .build();
    }
}
