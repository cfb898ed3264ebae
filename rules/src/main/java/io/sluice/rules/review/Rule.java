// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import io.sluice.api.json.FieldProblem;
import java.util.List;
import java.util.function.Function;

/**
 * One named condition that a resource must satisfy, or one thing worth a warning.
 *
 * @param id stable, kebab-case; users and dashboards refer to it
 * @param field where its problems point, for the reference
 * @param why what goes wrong without it
 * @param check the problems of a resource; empty if it satisfies the rule
 */
public record Rule<T>(String id, String field, String why, Function<T, List<FieldProblem>> check) {
    /** This rule for what contains what it looks at. */
    public <S> Rule<S> on(Function<S, T> part) {
        return new Rule<>(id, field, why, whole -> check.apply(part.apply(whole)));
    }
}
