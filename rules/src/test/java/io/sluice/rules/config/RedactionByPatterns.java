// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import io.sluice.api.spec.FlinkConfiguration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@link Redaction} did with regular expressions, in a time that some texts made endless: only
 * short texts may be compared with it.
 */
final class RedactionByPatterns {
    /** Shorter ones would blot out words that only look like them. */
    private static final int SHORTEST = 4;

    /**
     * In quotes, escaped or not, to where they end on this line; else to the next blank or comma.
     */
    private static final String VALUE =
            "(?:(\\\\*[\"'])(?:(?!\\2)(?:\\\\.|.))++|\\\\*[^\\s,;&'\"\\\\]+)";

    private static final Pattern NAMED =
            Pattern.compile(
                    "(?i)((?:password|passwd|secret|token|credential|api-?key|access[-.]key|private[-.]key)"
                            + "(?:[-_]\\w+|\\.(?:access|key|value))*\\\\*[\"']?\\s*[=:]\\s*)"
                            + VALUE);

    /** An environment variable, whose name and value stand side by side. */
    private static final Pattern VARIABLE =
            Pattern.compile(
                    "(?i)(\\bname\\\\*[\"']?\\s*[=:]\\s*\\\\*[\"']?[-.\\w]*"
                            + "(?:password|passwd|secret|token|credential|(?:api|access|private)[-._]?key)"
                            + "[-.\\w]*\\\\*[\"']?\\s*,\\s*\\\\*[\"']?value\\\\*[\"']?\\s*[=:]\\s*)"
                            + VALUE);

    /** What gives itself away: tokens, cloud keys, private keys. */
    private static final Pattern SHAPED =
            Pattern.compile(
                    "\\beyJ[-\\w]{8,}\\.[-\\w]{8,}\\.[-\\w]*"
                            + "|\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b"
                            + "|\\bgh[pousr]_\\w{20,}"
                            + "|(?<=[Bb]earer )[-\\w.~+/]{8,}=*"
                            + "|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----",
                    Pattern.DOTALL);

    private static final Pattern IN_URL = Pattern.compile("(:\\\\?/\\\\?/[^/\\s:@]+:)[^/\\s@]+@");

    private final List<String> secrets;

    private RedactionByPatterns(List<String> secrets) {
        this.secrets = secrets;
    }

    /** Knows the secrets of {@code configuration}. */
    static RedactionByPatterns of(FlinkConfiguration configuration) {
        return new RedactionByPatterns(
                configuration.entries().entrySet().stream()
                        .filter(entry -> SecretKeys.isSecret(entry.getKey()))
                        .map(entry -> entry.getValue().strip())
                        .filter(value -> value.length() >= SHORTEST)
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .toList());
    }

    String apply(String text) {
        String shown = text;
        for (String secret : secrets) {
            shown = shown.replace(secret, SecretKeys.HIDDEN);
        }
        shown = NAMED.matcher(shown).replaceAll(RedactionByPatterns::hidden);
        shown = VARIABLE.matcher(shown).replaceAll(RedactionByPatterns::hidden);
        shown = SHAPED.matcher(shown).replaceAll(SecretKeys.HIDDEN);
        return IN_URL.matcher(shown).replaceAll("$1" + SecretKeys.HIDDEN + "@");
    }

    /** The name and, if there is one, the quote before the value stay. */
    private static String hidden(MatchResult found) {
        String quote = Objects.requireNonNullElse(found.group(2), "");
        return Matcher.quoteReplacement(found.group(1) + quote + SecretKeys.HIDDEN);
    }
}
