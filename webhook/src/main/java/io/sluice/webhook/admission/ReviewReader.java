// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.rules.canary.CanaryResources;
import io.sluice.rules.cron.CronAnnotations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Reads a body once, from its bytes to the request. What nothing here looks at is passed over: who
 * asks, by which options, and who owns which field. How deep and of how many parts a body may be is
 * bounded, as both cost far more than the bytes that say so.
 */
public final class ReviewReader {
    static final int DEEPEST = 200;

    /** Those that are passed over among them: who owns which field is longer than the fields. */
    private static final long MOST_TOKENS = 12L * BodyParts.MOST;

    private static final ObjectMapper JSON =
            new ObjectMapper(
                    JsonFactory.builder()
                            .streamReadConstraints(
                                    StreamReadConstraints.builder()
                                            .maxNestingDepth(DEEPEST)
                                            .maxTokenCount(MOST_TOKENS)
                                            .build())
                            .build());

    private ReviewReader() {}

    /** Empty if {@code body} is no AdmissionReview of this version that could be answered. */
    public static Optional<AdmissionRequest> read(byte[] body) {
        try (JsonParser parser = JSON.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            ObjectNode review = JsonNodeFactory.instance.objectNode();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                switch (field) {
                    case "apiVersion", "kind" -> review.set(field, scalar(parser));
                    case "request" -> review.set(field, request(parser));
                    default -> parser.skipChildren();
                }
            }
            return AdmissionRequest.read(review);
        } catch (JsonProcessingException notJson) {
            return Optional.empty();
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading an array of bytes", impossible);
        }
    }

    private static JsonNode request(JsonParser parser) throws IOException {
        return object(
                parser,
                (field, request) -> {
                    switch (field) {
                        case "object" -> request.set(field, resource(parser));
                        case "oldObject" -> request.set(field, replaced(parser));
                        case "kind", "resource" ->
                                request.set(
                                        field,
                                        object(
                                                parser,
                                                (name, kind) -> kind.set(name, scalar(parser))));
                        default -> request.set(field, scalar(parser));
                    }
                });
    }

    private static JsonNode resource(JsonParser parser) throws IOException {
        return object(
                parser,
                (field, resource) -> {
                    switch (field) {
                        case "metadata" -> resource.set(field, metadata(parser));
                        case "status" -> resource.set(field, status(parser));
                        default -> resource.set(field, tree(parser));
                    }
                });
    }

    /**
     * Reads of the replaced object only its spec, when it was to run, and whether it was a canary.
     */
    private static JsonNode replaced(JsonParser parser) throws IOException {
        return object(
                parser,
                (field, resource) -> {
                    switch (field) {
                        case "spec" -> resource.set(field, tree(parser));
                        case "metadata" -> resource.set(field, marks(parser));
                        default -> parser.skipChildren();
                    }
                });
    }

    private static JsonNode marks(JsonParser parser) throws IOException {
        return fields(
                parser,
                (field, into) -> {
                    if (field.equals("annotations") || field.equals("labels")) {
                        into.set(field, marks(parser));
                    } else if (CronAnnotations.isOurs(field)
                            || field.equals(CanaryResources.LABEL)) {
                        into.set(field, tree(parser));
                    } else {
                        parser.skipChildren();
                    }
                });
    }

    /** The last stable spec is as long as all the rest. */
    private static JsonNode status(JsonParser parser) throws IOException {
        return fields(
                parser,
                (field, status) -> {
                    switch (field) {
                        case "reconciliationStatus" -> status.set(field, status(parser));
                        case "lastStableSpec", "conditions", "jobStatus" -> parser.skipChildren();
                        default -> status.set(field, tree(parser));
                    }
                });
    }

    /** {@link Envelope} counts on it that no generation is read. */
    private static JsonNode metadata(JsonParser parser) throws IOException {
        return fields(
                parser,
                (field, metadata) -> {
                    switch (field) {
                        case "managedFields", "generation" -> parser.skipChildren();
                        default -> metadata.set(field, tree(parser));
                    }
                });
    }

    /** What becomes of one field. */
    private interface FieldReader {
        void read(String field, ObjectNode into) throws IOException;
    }

    /** Reads an object field by field, and anything else only if it is a scalar. */
    private static JsonNode object(JsonParser parser, FieldReader reader) throws IOException {
        return parser.currentToken() == JsonToken.START_OBJECT
                ? fields(parser, reader)
                : scalar(parser);
    }

    /** Reads a scalar, and passes over anything else, which {@link LargeReview} does not count. */
    private static JsonNode scalar(JsonParser parser) throws IOException {
        if (parser.currentToken().isScalarValue()) {
            return tree(parser);
        }
        parser.skipChildren();
        return JsonNodeFactory.instance.nullNode();
    }

    private static JsonNode fields(JsonParser parser, FieldReader reader) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return tree(parser);
        }
        ObjectNode into = JsonNodeFactory.instance.objectNode();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            reader.read(field, into);
        }
        return into;
    }

    private static JsonNode tree(JsonParser parser) throws IOException {
        return parser.readValueAsTree();
    }
}
