// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import java.util.List;
import java.util.Locale;

/** Configuration keys whose values must not be shown: in no log, event, message or difference. */
public final class SecretKeys {
    /** What is shown in place of a secret. */
    public static final String HIDDEN = "******";

    private static final List<String> MARKS =
            List.of(
                    "password",
                    "passwd",
                    "secret",
                    "token",
                    "credential",
                    "apikey",
                    "api-key",
                    "access-key",
                    "access.key",
                    "account.key",
                    "private-key",
                    "private.key",
                    "service-key",
                    "auth-params",
                    "basic-auth",
                    "jaas.config",
                    "http.header",
                    "http-headers");

    private SecretKeys() {}

    /** Whether the value under {@code key} looks like one to be kept. */
    public static boolean isSecret(String key) {
        String lower = key.toLowerCase(Locale.ROOT);
        for (String mark : MARKS) {
            if (lower.contains(mark)) {
                return true;
            }
        }
        return lower.endsWith(".key") || lower.endsWith("-key");
    }

    /** The value as it may be shown. */
    public static String shown(String key, String value) {
        return isSecret(key) ? HIDDEN : value;
    }
}
