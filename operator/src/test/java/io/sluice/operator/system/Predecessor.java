// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * What the Apache operator leaves behind: the folder {@code takeover}, written from
 * docs/contract/crds.md and docs/contract/reconciler.md. The spec that it took up is there as its
 * model writes it out.
 */
public final class Predecessor {
    static final long GENERATION = 4;
    public static final String JOB = "0123456789abcdef0123456789abcdef";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();

    private Predecessor() {}

    /** The spec as the user wrote it. */
    public static ObjectNode spec() {
        return yaml(text("spec.yaml"));
    }

    public static ObjectNode sessionCluster() {
        return yaml(text("session-cluster-spec.yaml"));
    }

    /** Of a job on the session cluster {@code session}. */
    public static ObjectNode sessionJob() {
        return yaml(text("session-job-spec.yaml"));
    }

    public static ObjectNode status(String name) {
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
                .replace("@flat@", flat(reconciled()).toString())
                .replace("@session-cluster@", model("session-cluster.json").toString())
                .replace("@flat-session-cluster@", flat(model("session-cluster.json")).toString())
                .replace("@session-job@", model("session-job.json").toString())
                .replace("@flat-session-job@", flat(model("session-job.json")).toString())
                .replace(
                        "@suspended-session-job@",
                        suspended(model("session-job.json"), "savepoint").toString())
                .replace("@suspended@", suspended(reconciled(), "savepoint").toString())
                .replace(
                        "@suspended-with-last-state@",
                        suspended(reconciled(), "last-state").toString())
                .replace("@bad@", bad().toString());
    }

    private static ObjectNode reconciled() {
        return model("reconciled.json");
    }

    /** A spec as their model writes it out. */
    private static ObjectNode model(String file) {
        try {
            return (ObjectNode) JSON.readTree(text(file));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static ObjectNode flat(ObjectNode spec) {
        return spec.put("apiVersion", "flink.apache.org/v1beta1");
    }

    private static ObjectNode suspended(ObjectNode spec, String restoredBy) {
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
