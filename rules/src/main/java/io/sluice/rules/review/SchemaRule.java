// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

/**
 * What the API server checks before it calls the webhook. Where there is no API server, its
 * findings are reported under these ids.
 */
public enum SchemaRule {
    UNKNOWN_VERSION(
            "unknown-version",
            "apiVersion",
            "The CRDs serve one version; the API server finds no other one."),
    UNKNOWN_KIND("unknown-kind", "kind", "The API server finds no such kind in the group."),
    UNKNOWN_FIELD(
            "unknown-field",
            "any",
            "The API server drops a field that the CRD does not have, and refuses it from clients"
                    + " that ask for validation, as `kubectl` does."),
    DUPLICATE_FIELD("duplicate-field", "any", "Only the last of several values of a field counts."),
    FIELD_REQUIRED("field-required", "any", "The CRD asks for this field."),
    FIELD_LIMIT("field-limit", "any", "The CRD limits the length of texts, lists and maps."),
    METADATA_FORMAT(
            "metadata-format",
            "metadata",
            "Kubernetes has a syntax for names, namespaces, labels and the keys of annotations.");

    private final String id;
    private final String field;
    private final String why;

    SchemaRule(String id, String field, String why) {
        this.id = id;
        this.field = field;
        this.why = why;
    }

    /** Stable, kebab-case, as that of a {@link Rule}. */
    public String id() {
        return id;
    }

    /** Where its problems point, for the reference. */
    public String field() {
        return field;
    }

    /** What the API server does about it. */
    public String why() {
        return why;
    }
}
