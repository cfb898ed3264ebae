// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.json;

import static java.util.Objects.requireNonNull;

/**
 * One thing that is wrong with one field.
 *
 * @param path the field as the user wrote it, for example {@code spec.job.parallelism}
 * @param value what stands there, shortened for display; empty if nothing does
 * @param message what is wrong and what to do, without the path and the value
 */
public record FieldProblem(String path, String value, String message) {
    private static final int LONGEST_VALUE = 120;

    public FieldProblem {
        requireNonNull(path, "path");
        requireNonNull(message, "message");
        value = value.length() <= LONGEST_VALUE ? value : value.substring(0, LONGEST_VALUE) + "…";
    }

    /** The problem in one line: path, value if there is one, message. */
    public String text() {
        return value.isEmpty() ? path + ": " + message : path + ": '" + value + "' " + message;
    }
}
