// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.StateKind;
import io.sluice.api.spec.UpgradeMode;
import java.util.Optional;

/**
 * {@code status.reconciliationStatus.lastReconciledSpec}: a JSON string that holds the spec the
 * operator reconciled last. It is decoded here and nowhere else.
 *
 * @param spec the spec as it was stored
 * @param firstDeployment whether it is the first one this resource ever had
 */
public record ReconciledSpec(ObjectNode spec, boolean firstDeployment) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String API_VERSION = ApiVersion.TEXT;

    /**
     * The string for the wire: {@code
     * {"spec":{…},"resource_metadata":{"apiVersion":…,"firstDeployment":…}}}.
     */
    public String encode() {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.set("spec", spec);
        document.putObject("resource_metadata")
                .put("apiVersion", API_VERSION)
                .put("firstDeployment", firstDeployment);
        return document.toString();
    }

    /**
     * The same spec with {@code mode} as its upgrade mode: while a job is at rest or on its way,
     * the wire format keeps there what it is restored by.
     */
    public ReconciledSpec restoredBy(UpgradeMode mode) {
        if (!(spec.get("job") instanceof ObjectNode)) {
            return this;
        }
        ObjectNode copy = spec.deepCopy();
        copy.withObject("/job").put("upgradeMode", mode.wire());
        return new ReconciledSpec(copy, firstDeployment);
    }

    /** The same spec, marked as not the first deployment of its resource. */
    public ReconciledSpec notFirst() {
        return firstDeployment ? new ReconciledSpec(spec, false) : this;
    }

    /** The same spec with the wish that its job be in {@code state}. */
    public ReconciledSpec wishing(DesiredJobState state) {
        if (!(spec.get("job") instanceof ObjectNode)) {
            return this;
        }
        ObjectNode copy = spec.deepCopy();
        copy.withObject("/job").put("state", state.wire());
        return new ReconciledSpec(copy, firstDeployment);
    }

    /**
     * The same spec with the nonces of {@code former}: the wire format keeps there which of them
     * count as done, whatever the user asks for meanwhile.
     */
    public ReconciledSpec withNoncesOf(ObjectNode former) {
        ReconciledSpec kept = this;
        for (StateKind kind : StateKind.values()) {
            kept = kept.withNonce(kind, former.path("job").path(kind.nonce()));
        }
        return kept;
    }

    /** The same spec with {@code nonce} counting as done. */
    public ReconciledSpec withNonce(StateKind kind, long nonce) {
        return withNonce(kind, JsonNodeFactory.instance.numberNode(nonce));
    }

    private ReconciledSpec withNonce(StateKind kind, JsonNode nonce) {
        boolean same = spec.path("job").path(kind.nonce()).equals(nonce);
        if (same || !(spec.get("job") instanceof ObjectNode)) {
            return this;
        }
        ObjectNode copy = spec.deepCopy();
        ObjectNode job = copy.withObject("/job");
        if (nonce.isMissingNode()) {
            job.remove(kind.nonce());
        } else {
            job.set(kind.nonce(), nonce);
        }
        return new ReconciledSpec(copy, firstDeployment);
    }

    /** Reads today's layout and the older flat one; empty if the string is neither. */
    public static Optional<ReconciledSpec> decode(String text) {
        try {
            if (!(JSON.readTree(text) instanceof ObjectNode document)) {
                return Optional.empty();
            }
            if (document.get("spec") instanceof ObjectNode spec) {
                boolean first =
                        document.path("resource_metadata").path("firstDeployment").asBoolean(false);
                return Optional.of(new ReconciledSpec(spec, first));
            }
            document.remove("apiVersion");
            return Optional.of(new ReconciledSpec(document, false));
        } catch (JsonProcessingException notJson) {
            return Optional.empty();
        }
    }
}
