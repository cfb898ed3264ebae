// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.rules.config.AdmissionPolicy;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.PodOptions;
import java.util.Locale;

/**
 * What the platform has filled in for the security contexts of a pod of Flink, where its template
 * says nothing.
 *
 * @param level for whom
 * @param fixedUser whether user and group are those of Flink's images, or left to the platform
 */
public record FillIn(Level level, boolean fixedUser) {
    /** User and group of Flink's images. */
    private static final int FLINK_USER = 9999;

    private static final String USER = "runAsUser";

    /** Who gets what the Pod Security standard restricted asks for. */
    public enum Level {
        /** Nobody. */
        NONE,
        /** Flink's own container; others run as their images say. */
        BASELINE,
        /** The whole pod. */
        RESTRICTED
    }

    /**
     * As {@code effective}, the configuration of a resource, says. A platform that refuses what is
     * below restricted relies on what is filled in, so that this is restricted too. A word that is
     * none of the known counts as restricted.
     */
    public static FillIn of(Options effective) {
        String word = effective.get(PodOptions.FILL_IN).toLowerCase(Locale.ROOT);
        boolean required = AdmissionPolicy.pods(effective) == AdmissionPolicy.Pods.RESTRICTED;
        Level level =
                switch (required ? "restricted" : word) {
                    case "none" -> Level.NONE;
                    case "baseline" -> Level.BASELINE;
                    default -> Level.RESTRICTED;
                };
        return new FillIn(level, effective.get(PodOptions.FIXED_USER));
    }

    /** Fills {@code spec}, a pod's, and {@code main}, the container in it that Flink runs in. */
    void into(ObjectNode spec, ObjectNode main) {
        switch (level) {
            case NONE -> {}
            case BASELINE -> {
                ObjectNode pod = FlinkPod.objectAt(spec, "securityContext");
                ObjectNode container = FlinkPod.objectAt(main, "securityContext");
                if (!pod.hasNonNull(USER) && !container.hasNonNull(USER)) {
                    asUser(container);
                }
                forAll(pod);
                unprivileged(container);
            }
            case RESTRICTED -> {
                ObjectNode pod = FlinkPod.objectAt(spec, "securityContext");
                asUser(pod);
                forAll(pod);
                unprivileged(FlinkPod.objectAt(main, "securityContext"));
            }
        }
    }

    private void asUser(ObjectNode security) {
        FlinkPod.putIfAbsent(security, "runAsNonRoot", JsonNodeFactory.instance.booleanNode(true));
        if (fixedUser) {
            FlinkPod.putIfAbsent(security, USER, JsonNodeFactory.instance.numberNode(FLINK_USER));
        }
    }

    /**
     * What other containers can live with. A group of ours comes with the policy by which the
     * kubelet changes the files of a volume once, and not at each start.
     */
    private void forAll(ObjectNode pod) {
        if (fixedUser && !pod.hasNonNull("fsGroup")) {
            pod.put("fsGroup", FLINK_USER);
            JsonNode policy = JsonNodeFactory.instance.textNode("OnRootMismatch");
            FlinkPod.putIfAbsent(pod, "fsGroupChangePolicy", policy);
        }
        FlinkPod.putIfAbsent(
                pod,
                "seccompProfile",
                JsonNodeFactory.instance.objectNode().put("type", "RuntimeDefault"));
    }

    private static void unprivileged(ObjectNode container) {
        FlinkPod.putIfAbsent(
                container, "allowPrivilegeEscalation", JsonNodeFactory.instance.booleanNode(false));
        if (!container.hasNonNull("capabilities")) {
            container.putObject("capabilities").putArray("drop").add("ALL");
        }
    }
}
