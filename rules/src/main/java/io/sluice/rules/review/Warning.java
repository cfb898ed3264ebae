// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import io.sluice.api.json.FieldProblem;

/**
 * Something worth telling whoever wrote an acceptable resource.
 *
 * @param id stable, kebab-case
 * @param path the field it is about
 * @param message what is odd, or what will happen, in one short sentence
 */
public record Warning(String id, String path, String message) {
    static Warning of(String id, FieldProblem problem) {
        String value = problem.value().isEmpty() ? "" : "'" + problem.value() + "' ";
        return new Warning(id, problem.path(), value + problem.message());
    }

    /** The warning in one line, as {@code kubectl} shows it. */
    public String text() {
        return path + ": " + message + " [" + id + "]";
    }
}
