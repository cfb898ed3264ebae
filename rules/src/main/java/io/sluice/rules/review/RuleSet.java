// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.json.Fields;
import io.sluice.api.json.Parsed;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Rules that are checked together, in their order. */
public record RuleSet<T>(List<Rule<T>> rules) {
    /** The id under which a field of the wrong JSON type is reported. */
    public static final String FIELD_TYPE = "field-type";

    /** Nobody reads more, and whoever writes a spec must not choose how much memory is taken. */
    private static final int MOST = Fields.MOST_PROBLEMS;

    public RuleSet {
        rules = List.copyOf(rules);
    }

    @SafeVarargs
    public static <T> RuleSet<T> of(List<Rule<T>>... lists) {
        List<Rule<T>> rules = new ArrayList<>();
        for (List<Rule<T>> list : lists) {
            rules.addAll(list);
        }
        return new RuleSet<>(rules);
    }

    public <S> List<Rule<S>> on(Function<S, T> part) {
        return rules.stream().map(rule -> rule.on(part)).toList();
    }

    /**
     * Every violation of what was read, fields of the wrong type first. What a rule finds at such a
     * field is only its echo, and is left out. After {@value #MOST} violations the next one says
     * that there may be more.
     */
    public List<Violation> check(Parsed<? extends T> read) {
        List<Violation> violations = new ArrayList<>();
        for (FieldProblem type : read.problems()) {
            violations.add(new Violation(FIELD_TYPE, type));
        }
        for (Rule<T> rule : rules) {
            for (FieldProblem problem : rule.check().apply(read.value())) {
                if (read.problems().stream().noneMatch(type -> covers(type, problem))) {
                    if (violations.size() >= MOST) {
                        violations.add(new Violation(rule.id(), andMore(problem)));
                        return violations;
                    }
                    violations.add(new Violation(rule.id(), problem));
                }
            }
        }
        return violations;
    }

    private static FieldProblem andMore(FieldProblem problem) {
        return new FieldProblem(
                problem.path(),
                "",
                "has a problem too, and there may be more; correct the first "
                        + MOST
                        + " problems");
    }

    /** What the rules find, as warnings. */
    public List<Warning> advise(T subject) {
        List<Warning> warnings = new ArrayList<>();
        for (Rule<T> rule : rules) {
            for (FieldProblem problem : rule.check().apply(subject)) {
                if (warnings.size() < MOST) {
                    warnings.add(Warning.of(rule.id(), problem));
                }
            }
        }
        return warnings;
    }

    private static boolean covers(FieldProblem type, FieldProblem other) {
        return other.path().equals(type.path())
                || other.path().startsWith(type.path() + ".")
                || other.path().startsWith(type.path() + "[");
    }
}
