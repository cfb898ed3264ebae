// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

/** Each bound that a JobManager's answer can exceed, by the word that metrics have for it. */
public enum AnswerLimit {
    /** Bytes of an answer that lists something. */
    LIST_SIZE("list_size", "max-list-size"),

    /** Bytes of any other answer, faults included. */
    SIZE("size", "max-size"),

    /** Bytes of all headers; a flag of the Java process. */
    HEADERS("headers", "the Java flag jdk.http.maxHeaderSize"),

    JOBS("jobs", "max-jobs"),
    VERTICES("vertices", "max-vertices"),
    CHECKPOINTS("checkpoints", "max-checkpoints"),
    TASK_MANAGERS("task_managers", "max-task-managers"),

    /** Entries of a job's configuration, or metrics. */
    ENTRIES("entries", "max-entries"),

    /** The number of JSON tokens. */
    TOKENS("tokens", "max-tokens"),

    /** The nesting of the JSON, or the length of a text, a number or a field's name. */
    STRUCTURE("structure", "max-text-length"),

    /** Bytes of all large answers that the process reads at the same time. */
    IN_FLIGHT("in_flight", "max-in-flight");

    private static final String OPTIONS = "kubernetes.operator.flink.client.answer.";

    private final String word;
    private final String option;

    AnswerLimit(String word, String option) {
        this.word = word;
        this.option = option;
    }

    /** The value of the metrics' label. */
    public String word() {
        return word;
    }

    /** What sets it, for people. */
    public String setBy() {
        return this == HEADERS ? option : OPTIONS + option;
    }
}
