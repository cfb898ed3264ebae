// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.access;

/** What a caller needs a right for. */
public sealed interface Permission {

    /** The right to {@code get} a path that is no resource, such as {@code /metrics}. */
    record Path(String path) implements Permission {
        @Override
        public String text() {
            return "get the path " + path;
        }
    }

    /**
     * A right on resources of the group {@code flink.apache.org}.
     *
     * @param verb {@code get} or {@code list}
     * @param resource in the plural, as rights name it
     * @param namespace empty for all namespaces
     * @param name empty for all resources
     */
    record Resources(String verb, String resource, String namespace, String name)
            implements Permission {
        @Override
        public String text() {
            String which = name.isEmpty() ? resource : resource + " \"" + name + '"';
            String where = namespace.isEmpty() ? "all namespaces" : "namespace " + namespace;
            return verb + ' ' + which + " in " + where;
        }
    }

    /** A sentence's end: "may not …". */
    String text();
}
