// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import java.util.Locale;
import java.util.Optional;

/**
 * How strict admission is where strictness is a choice. Read from the operator's configuration
 * only, so that no resource grants itself anything; a namespace gets its own through {@code
 * kubernetes.operator.default-configuration.namespace.<namespace>.<key>}.
 */
public final class AdmissionPolicy {
    /** {@code deny} (also if not set), {@code warn} or {@code off}. */
    public static final String RESTRICTED_KEYS = "kubernetes.operator.admission.restricted-keys";

    /** {@code restricted}, {@code baseline}, {@code warn} (also if not set) or {@code off}. */
    public static final String POD_SECURITY = "kubernetes.operator.admission.pod-security";

    /** What happens to a resource with a restricted key. */
    public enum Keys {
        OFF,
        WARN,
        DENY
    }

    /** Which Pod Security Standard a pod template has to keep; WARN warns below baseline. */
    public enum Pods {
        OFF,
        WARN,
        BASELINE,
        RESTRICTED
    }

    private AdmissionPolicy() {}

    /** A word that is none of the known counts as the strictest: better refused than let in. */
    public static Keys keys(Options granted) {
        return word(granted, RESTRICTED_KEYS)
                .map(
                        word ->
                                switch (word) {
                                    case "off", "false" -> Keys.OFF;
                                    case "warn" -> Keys.WARN;
                                    default -> Keys.DENY;
                                })
                .orElse(Keys.DENY);
    }

    /** A word that is none of the known counts as the strictest: better refused than let in. */
    public static Pods pods(Options granted) {
        return word(granted, POD_SECURITY)
                .map(
                        word ->
                                switch (word) {
                                    case "off", "false" -> Pods.OFF;
                                    case "warn" -> Pods.WARN;
                                    case "baseline" -> Pods.BASELINE;
                                    default -> Pods.RESTRICTED;
                                })
                .orElse(Pods.WARN);
    }

    /** In YAML, off is also a way to write false. */
    private static Optional<String> word(Options granted, String key) {
        return granted.text(key).map(word -> word.toLowerCase(Locale.ROOT));
    }
}
