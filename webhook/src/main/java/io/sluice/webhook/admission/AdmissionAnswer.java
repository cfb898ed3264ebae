// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.rules.review.Violation;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Renders a verdict as an AdmissionReview. Text is made here and nowhere else. */
public final class AdmissionAnswer {
    private static final int UNPROCESSABLE = 422;

    private AdmissionAnswer() {}

    public static ObjectNode of(AdmissionRequest request, Verdict verdict) {
        ObjectNode review = JsonNodeFactory.instance.objectNode();
        review.put("apiVersion", AdmissionRequest.API_VERSION).put("kind", "AdmissionReview");
        ObjectNode response = review.putObject("response").put("uid", request.uid());
        switch (verdict) {
            case Verdict.Allowed(var warnings) -> {
                response.put("allowed", true);
                warn(response, warnings);
            }
            case Verdict.Completed(var patch) ->
                    response.put("allowed", true)
                            .put("patchType", "JSONPatch")
                            .put("patch", base64(patch.toString()));
            case Verdict.Refused(var violations, var warnings) -> {
                refuse(response, request, violations);
                warn(response, warnings);
            }
            case Verdict.Unknown(var kind) ->
                    response.put("allowed", false)
                            .putObject("status")
                            .put("code", UNPROCESSABLE)
                            .put(
                                    "message",
                                    "kind: '"
                                            + kind
                                            + "' is not one of Sluice's kinds; register this"
                                            + " webhook for flink.apache.org only");
        }
        return review;
    }

    private static void refuse(
            ObjectNode response, AdmissionRequest request, List<Violation> violations) {
        ObjectNode status = response.put("allowed", false).putObject("status");
        status.put("code", UNPROCESSABLE);
        status.put("reason", "Invalid");
        status.put("message", message(request, violations));
        ObjectNode details = status.putObject("details");
        details.put("group", request.group());
        details.put("kind", request.kind());
        details.put("name", request.name());
        var causes = details.putArray("causes");
        violations.forEach(violation -> cause(causes.addObject(), violation));
        response.putObject("auditAnnotations")
                .put(
                        "rules",
                        violations.stream()
                                .map(Violation::rule)
                                .distinct()
                                .collect(Collectors.joining(",")));
    }

    /** kubectl prints {@code field: message} of every cause, in place of the status's message. */
    private static void cause(ObjectNode cause, Violation violation) {
        var problem = violation.problem();
        String value = problem.value().isEmpty() ? "" : "'" + problem.value() + "' ";
        cause.put("reason", "FieldValueInvalid");
        cause.put("message", value + problem.message() + " [" + violation.rule() + "]");
        cause.put("field", problem.path());
    }

    private static String message(AdmissionRequest request, List<Violation> violations) {
        String count = violations.size() == 1 ? "1 problem" : violations.size() + " problems";
        return IntStream.range(0, violations.size())
                .mapToObj(i -> "\n%3d. %s".formatted(i + 1, violations.get(i).text()))
                .collect(
                        Collectors.joining(
                                "",
                                request.kind() + " '" + request.name() + "' has " + count + ":",
                                ""));
    }

    private static void warn(ObjectNode response, List<String> warnings) {
        if (!warnings.isEmpty()) {
            var list = response.putArray("warnings");
            warnings.forEach(list::add);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
