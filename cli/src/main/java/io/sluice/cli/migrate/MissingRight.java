// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

/**
 * A right that the caller lacks, so that something was not seen.
 *
 * @param verb as Kubernetes' roles name it
 * @param resource in the plural, with its group after a dot if it has one
 * @param namespace empty if it is needed in all
 */
record MissingRight(String verb, String resource, String namespace) {
    /** For people. */
    String text() {
        return verb
                + " "
                + resource
                + (namespace.isEmpty() ? " in all namespaces" : " in namespace " + namespace);
    }
}
