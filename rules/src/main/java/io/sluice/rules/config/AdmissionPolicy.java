// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import io.sluice.rules.config.option.AdmissionOptions;
import io.sluice.rules.config.option.Option;
import java.util.Locale;

/**
 * How strict admission is where strictness is a choice. Read from the operator's configuration
 * only, so that no resource grants itself anything; a namespace gets its own through {@code
 * kubernetes.operator.default-configuration.namespace.<namespace>.<key>}.
 */
public final class AdmissionPolicy {
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
        return switch (word(granted, AdmissionOptions.RESTRICTED_KEYS)) {
            case "off", "false" -> Keys.OFF;
            case "warn" -> Keys.WARN;
            default -> Keys.DENY;
        };
    }

    /** A word that is none of the known counts as the strictest: better refused than let in. */
    public static Pods pods(Options granted) {
        return switch (word(granted, AdmissionOptions.POD_SECURITY)) {
            case "off", "false" -> Pods.OFF;
            case "warn" -> Pods.WARN;
            case "baseline" -> Pods.BASELINE;
            default -> Pods.RESTRICTED;
        };
    }

    /** In YAML, off is also a way to write false. */
    private static String word(Options granted, Option<String> option) {
        return granted.get(option).toLowerCase(Locale.ROOT);
    }
}
