// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.SecretKeys;
import java.util.List;
import java.util.Optional;

/** How the rules word what they find. */
public final class Problems {
    private Problems() {}

    public static List<FieldProblem> when(boolean broken, FieldProblem problem) {
        return broken ? List.of(problem) : List.of();
    }

    /** A field that is missing. */
    public static FieldProblem missing(String path, String message) {
        return new FieldProblem(path, "", message);
    }

    /** A field whose value is at fault. */
    public static FieldProblem at(String path, Object value, String message) {
        return new FieldProblem(path, value.toString(), message);
    }

    /** A configuration entry at fault; says so if it is not the user's own. */
    public static FieldProblem at(JobReview review, String key, String message) {
        boolean own = review.own().get(key).isPresent();
        String origin = own ? "" : " (set through another spelling or the operator's defaults)";
        String value = review.effective().configuration().get(key).orElse("");
        return new FieldProblem(
                configurationPath(key), SecretKeys.shown(key, value), message + origin);
    }

    public static String configurationPath(String key) {
        return "spec.flinkConfiguration[" + key + "]";
    }

    public static boolean isBlank(Optional<String> value) {
        return value.filter(text -> !text.isBlank()).isEmpty();
    }
}
