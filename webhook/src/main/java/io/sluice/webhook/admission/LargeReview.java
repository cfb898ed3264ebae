// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.FieldProblem;
import io.sluice.rules.review.SpecSize;
import io.sluice.rules.review.Violation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a body is small enough to be read. The body is gone through token by token, which
 * takes no memory. If the resource is nested too deep, or has too many values, its user is told
 * which field to make smaller. What {@link ReviewReader} passes over does not count.
 */
public final class LargeReview {
    /** So many names of a path are told. */
    private static final int NAMES = 4;

    private static final Set<String> TEXTS =
            Set.of("uid", "operation", "namespace", "name", "subResource", "dryRun");
    private static final JsonFactory JSON = new JsonFactory();

    private final JsonParser parser;
    private final ObjectNode review = JsonNodeFactory.instance.objectNode();
    private Optional<String> tooDeep = Optional.empty();
    private boolean isLeaving;
    private String largest = "spec";
    private long valuesOfLargest;
    private long values;
    private long valuesBefore;

    private LargeReview(JsonParser parser) {
        this.parser = parser;
    }

    /** Tells how a body is answered. */
    public sealed interface Finding {}

    /** It may be read. */
    public record Reviewable() implements Finding {}

    /** It is answered without being read. */
    public record Answered(AdmissionVerdict judgement) implements Finding {}

    /** It is no AdmissionReview. */
    public record Unanswerable() implements Finding {}

    /** Whether a body of so many parts is to be looked at here before it is read. */
    public static boolean isLarge(int parts) {
        return parts > BodyParts.MOST / 2;
    }

    /**
     * Finds out whether the resource may be read. Nothing is said against one that is being
     * deleted: whoever holds it has to let it go.
     */
    public static Finding find(byte[] body) {
        try (JsonParser parser = JSON.createParser(body)) {
            var large = new LargeReview(parser);
            large.passOver();
            return AdmissionRequest.read(large.review)
                    .map(large::finding)
                    .orElseGet(Unanswerable::new);
        } catch (IOException notJson) {
            return new Unanswerable();
        }
    }

    private Finding finding(AdmissionRequest request) {
        return violation()
                .map(
                        violation ->
                                isLeaving
                                        ? Verdict.allowed()
                                        : new Verdict.Refused(List.of(violation), List.of()))
                .<Finding>map(
                        verdict -> new Answered(new AdmissionVerdict(request, verdict, verdict)))
                .orElseGet(Reviewable::new);
    }

    private Optional<Violation> violation() {
        if (tooDeep.isPresent()) {
            return tooDeep.map(
                    path ->
                            violation(
                                    path,
                                    "is nested deeper than %d levels; leave the innermost ones out"
                                            .formatted(ReviewReader.DEEPEST)));
        }
        if (values > SpecSize.MOST_VALUES) {
            return Optional.of(violation(largest, SpecSize.tooMany(values)));
        }
        return Optional.of(valuesBefore)
                .filter(before -> values + before > BodyParts.MOST)
                .map(
                        before ->
                                violation(
                                        "spec",
                                        "replaces one of %d names and values, which is too large"
                                                        .formatted(before)
                                                + " to be compared with; delete the resource, and"
                                                + " create it anew"));
    }

    private static Violation violation(String path, String message) {
        return new Violation(SpecSize.RULE.id(), new FieldProblem(path, "", message));
    }

    private void passOver() throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return;
        }
        while (tooDeep.isEmpty() && parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (field.equals("request") && value == JsonToken.START_OBJECT) {
                request(review.putObject(field));
            } else {
                keepText(field, review);
            }
        }
    }

    private void request(ObjectNode request) throws IOException {
        while (tooDeep.isEmpty() && parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.START_OBJECT) {
                objectOf(field, request);
            } else if (TEXTS.contains(field)) {
                keepText(field, request);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void objectOf(String field, ObjectNode request) throws IOException {
        switch (field) {
            case "kind" -> kind(request.putObject(field));
            case "object" -> object(false);
            case "oldObject" -> object(true);
            default -> parser.skipChildren();
        }
    }

    private void kind(ObjectNode kind) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            keepText(field, kind);
        }
    }

    private void keepText(String field, ObjectNode into) throws IOException {
        switch (parser.currentToken()) {
            case VALUE_STRING -> into.put(field, parser.getText());
            case VALUE_TRUE -> into.put(field, true);
            default -> parser.skipChildren();
        }
    }

    /**
     * @param isStored whether it is the one that is replaced, whose status is not read
     */
    private void object(boolean isStored) throws IOException {
        while (tooDeep.isEmpty() && parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (isStored && field.equals("status")) {
                parser.skipChildren();
            } else if (value == JsonToken.START_OBJECT) {
                fields(field, isStored);
            } else {
                count(field, isStored);
            }
        }
    }

    /** Counts each field of {@code parent} for itself. */
    private void fields(String parent, boolean isStored) throws IOException {
        while (tooDeep.isEmpty() && parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            isLeaving |= parent.equals("metadata") && field.equals("deletionTimestamp");
            if (parent.equals("metadata") && field.equals("managedFields")) {
                parser.skipChildren();
            } else {
                count(parent + "." + field, isStored);
            }
        }
    }

    private void count(String path, boolean isStored) throws IOException {
        long counted = valuesHere();
        if (isStored) {
            valuesBefore += counted + 1;
            return;
        }
        values += counted;
        if (counted > valuesOfLargest) {
            valuesOfLargest = counted;
            largest = path;
        }
    }

    /** Names and values from the current token to its end. */
    private long valuesHere() throws IOException {
        long counted = 1;
        int open = parser.currentToken().isStructStart() ? 1 : 0;
        while (open > 0) {
            JsonToken token = parser.nextToken();
            if (token == null) {
                return counted;
            }
            if (token.isStructStart()) {
                open++;
            } else if (token.isStructEnd()) {
                open--;
            }
            if (!token.isStructEnd()) {
                counted++;
            }
            if (parser.getParsingContext().getNestingDepth() > ReviewReader.DEEPEST) {
                tooDeep = Optional.of(path());
                return counted;
            }
        }
        return counted;
    }

    /** The first names of where the parser is, below the resource. */
    private String path() {
        String[] names = parser.getParsingContext().pathAsPointer().toString().split("/");
        List<String> below = List.of(names).subList(Math.min(3, names.length), names.length);
        return String.join(".", below.subList(0, Math.min(NAMES, below.size())));
    }
}
