// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.advice;

import io.sluice.rules.config.InertOptions;
import io.sluice.rules.config.KnownOptions;
import io.sluice.rules.config.SecretKeys;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a configuration key says by itself. The same keys come again and again, and most say
 * nothing, so the answers are kept.
 *
 * @param unknown whether nobody reads it
 * @param inert whether there are values of it that have no effect anywhere
 * @param operatorOnly whether it counts in the operator's own configuration only
 * @param newest what it is called today, if it is an older spelling
 * @param secret whether its value looks like one to be kept
 */
public record KeyFacts(
        String key,
        boolean unknown,
        boolean inert,
        boolean operatorOnly,
        Optional<String> newest,
        boolean secret) {
    /** Whoever invents keys without end does not fill the heap with them. */
    private static final int MOST_KEPT = 4096;

    /** Nor does whoever makes them long; no known key is half as long. */
    private static final int LONGEST_KEPT = 200;

    /** Their values are names of Secrets in the cluster. */
    private static final Set<String> NAMES_OF_SECRETS =
            Set.of("kubernetes.secrets", "kubernetes.env.secretKeyRef");

    /** Flags, times and numbers. */
    private static final List<String> RENEWALS =
            List.of(
                    "security.delegation.tokens.",
                    "security.kerberos.fetch.delegation-token",
                    "security.kerberos.tokens.");

    private static final Map<String, KeyFacts> KEPT = new ConcurrentHashMap<>();
    private static final Map<String, Optional<String>> MEANT = new ConcurrentHashMap<>();

    public static KeyFacts of(String key) {
        return Optional.ofNullable(KEPT.get(key)).orElseGet(() -> read(key));
    }

    /**
     * The known key that an unknown one was probably meant to be. It is compared with many, which
     * takes a hundred times as long as all else that is said of it.
     */
    static Optional<String> meantBy(String key) {
        return Optional.ofNullable(MEANT.get(key)).orElseGet(() -> guess(key));
    }

    private static Optional<String> guess(String key) {
        Optional<String> meant = KnownOptions.meantBy(key);
        if (isKept(key, MEANT)) {
            MEANT.putIfAbsent(key, meant);
        }
        return meant;
    }

    /** Whether there is anything to be said. */
    boolean isOdd() {
        return inert || operatorOnly || secret || unknown || newest.isPresent();
    }

    private static KeyFacts read(String key) {
        boolean inert = InertOptions.isKey(key);
        var facts =
                new KeyFacts(
                        key,
                        !KnownOptions.isKnownKey(key),
                        inert,
                        !inert && KnownOptions.isOperatorOnly(key),
                        KnownOptions.replacement(key).filter(_ -> !inert),
                        SecretKeys.isSecret(key) && !isNoSecret(key));
        if (isKept(key, KEPT)) {
            KEPT.putIfAbsent(key, facts);
        }
        return facts;
    }

    private static boolean isKept(String key, Map<String, ?> kept) {
        return key.length() <= LONGEST_KEPT && kept.size() < MOST_KEPT;
    }

    /** Says where a secret comes from, or how it is renewed, and not what it is. */
    private static boolean isNoSecret(String key) {
        return namesAClass(key)
                || NAMES_OF_SECRETS.contains(key)
                || RENEWALS.stream().anyMatch(key::startsWith);
    }

    /** Such as {@code fs.s3a.aws.credentials.provider}. */
    private static boolean namesAClass(String key) {
        return key.endsWith("provider") || key.endsWith(".class");
    }
}
