// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * What the Apache operator leaves behind: the folder {@code takeover}, written from the contract
 * (crds, reconciler). The spec that it took up is there as its model writes it out.
 */
final class Predecessor {
    static final long GENERATION = 4;
    static final String JOB = "0123456789abcdef0123456789abcdef";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();

    private Predecessor() {}

    /** The spec as the user wrote it. */
    static ObjectNode spec() {
        return yaml(text("spec.yaml"));
    }

    static ObjectNode status(String name) {
        ObjectNode status = yaml(text(name + ".yaml"));
        ObjectNode reconciliation = (ObjectNode) status.get("reconciliationStatus");
        for (String field : new String[] {"lastReconciledSpec", "lastStableSpec"}) {
            if (reconciliation.has(field)) {
                reconciliation.put(field, filled(reconciliation.get(field).asText()));
            }
        }
        return status;
    }

    private static String filled(String text) {
        return text.replace("@running@", reconciled().toString())
                .replace("@flat@", flat().toString())
                .replace("@suspended@", suspended("savepoint").toString())
                .replace("@suspended-with-last-state@", suspended("last-state").toString())
                .replace("@bad@", bad().toString());
    }

    private static ObjectNode reconciled() {
        try {
            return (ObjectNode) JSON.readTree(text("reconciled.json"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static ObjectNode flat() {
        return reconciled().put("apiVersion", "flink.apache.org/v1beta1");
    }

    private static ObjectNode suspended(String restoredBy) {
        ObjectNode spec = reconciled();
        spec.withObject("/job").put("state", "suspended").put("upgradeMode", restoredBy);
        return spec;
    }

    private static ObjectNode bad() {
        ObjectNode spec = reconciled().put("image", "flink:bad");
        spec.withObject("/job").put("upgradeMode", "last-state");
        return spec;
    }

    private static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) YAML.readTree(text);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String text(String file) {
        try (InputStream in =
                Objects.requireNonNull(
                        Predecessor.class.getResourceAsStream("/takeover/" + file), file)) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
