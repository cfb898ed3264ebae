// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import io.sluice.rules.config.KnownOptions;
import io.sluice.rules.config.SecretKeys;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a configuration key says by itself. The same keys come again and again, and most say
 * nothing, so the answers are kept.
 *
 * @param meant the known key that an unknown one was probably meant to be
 * @param operatorOnly whether it counts in the operator's own configuration only
 * @param newest what it is called today, if it is an older spelling
 * @param secret whether its value looks like one to be kept
 */
record KeyFacts(
        String key,
        Optional<String> meant,
        boolean operatorOnly,
        Optional<String> newest,
        boolean secret) {
    /** Whoever invents keys without end does not fill the heap with them. */
    private static final int MOST_KEPT = 4096;

    private static final Map<String, KeyFacts> KEPT = new ConcurrentHashMap<>();

    static KeyFacts of(String key) {
        return Optional.ofNullable(KEPT.get(key)).orElseGet(() -> read(key));
    }

    /** Whether there is anything to be said. */
    boolean isOdd() {
        return operatorOnly || secret || meant.isPresent() || newest.isPresent();
    }

    private static KeyFacts read(String key) {
        var facts =
                new KeyFacts(
                        key,
                        KnownOptions.meantBy(key),
                        KnownOptions.isOperatorOnly(key),
                        KnownOptions.replacement(key),
                        SecretKeys.isSecret(key) && !namesAClass(key));
        if (KEPT.size() < MOST_KEPT) {
            KEPT.putIfAbsent(key, facts);
        }
        return facts;
    }

    /**
     * Such as {@code fs.s3a.aws.credentials.provider}: where a secret comes from, not what it is.
     */
    private static boolean namesAClass(String key) {
        return key.endsWith("provider") || key.endsWith(".class");
    }
}
