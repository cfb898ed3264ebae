// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.pod;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.rules.pod.PodSecurity.Node;
import java.util.Set;

/** The standard {@code restricted}: what a hardened pod looks like. */
final class Restricted {
    private static final Set<String> VOLUMES =
            Set.of(
                    "name",
                    "configMap",
                    "csi",
                    "downwardAPI",
                    "emptyDir",
                    "ephemeral",
                    "hostPath", // baseline has refused it
                    "persistentVolumeClaim",
                    "projected",
                    "secret");

    private Restricted() {}

    static void pod(Node pod) {
        for (JsonNode volume : pod.json().path("volumes")) {
            volume.properties().stream()
                    .filter(field -> !VOLUMES.contains(field.getKey()))
                    .forEach(
                            field ->
                                    new Node(
                                                    field.getValue(),
                                                    pod.path()
                                                            + ".volumes["
                                                            + volume.path("name").asText("?")
                                                            + "]."
                                                            + field.getKey(),
                                                    pod.problems())
                                            .refuse(
                                                    "is not a kind of volume that a restricted pod"
                                                            + " may have; use a claim, a"
                                                            + " ConfigMap or a Secret"));
        }
        asUser(pod.at("securityContext"));
    }

    static void container(Node container) {
        Node security = container.at("securityContext");
        asUser(security);
        // An entry without an image refines a container that is defined elsewhere.
        boolean own = container.json().has("image") && !isMain(container);
        Node escalation = security.at("allowPrivilegeEscalation");
        escalation.refuseIf(
                own ? escalation.json().asBoolean(true) : escalation.isTrue(), "must be false");
        Node drop = security.at("capabilities").at("drop");
        boolean dropsAll = false;
        for (JsonNode dropped : drop.json()) {
            dropsAll |= dropped.asText().equals("ALL");
        }
        boolean says = own || security.at("capabilities").json().isObject();
        drop.refuseIf(says && !dropsAll, "must hold ALL");
        Node add = security.at("capabilities").at("add");
        for (JsonNode added : add.json()) {
            new Node(added, add.path(), container.problems())
                    .refuseIf(
                            !added.asText().equals("NET_BIND_SERVICE")
                                    && Baseline.allows(added.asText()),
                            "may not be added to a restricted container; remove it");
        }
    }

    private static void asUser(Node security) {
        Node nonRoot = security.at("runAsNonRoot");
        nonRoot.refuseIf(!nonRoot.json().asBoolean(true), "must be true");
        Node user = security.at("runAsUser");
        user.refuseIf(
                user.json().asLong(1) == 0,
                "is root; use another user, such as Flink's own," + " 9999");
    }

    private static boolean isMain(Node container) {
        return container.json().path("name").asText("").equals("flink-main-container");
    }
}
