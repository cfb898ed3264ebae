// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

/**
 * What gives itself away: JSON web tokens, keys of clouds, tokens of GitHub, tokens after "Bearer",
 * private keys in PEM. A private key whose end is missing is hidden to the end of the text.
 *
 * <p>Where a run of characters ends is remembered for all places in it, and so is the place of the
 * next end of a private key: what was read once is not read again.
 */
final class SecretShapes {
    private static final int NONE = -1;
    private static final int SHORTEST_PART = 8;
    private static final int CLOUD_KEY = 16;
    private static final int SHORTEST_GITHUB = 20;
    private static final String JSON_TOKEN = "eyJ";
    private static final String BEARER = "earer ";
    private static final String PEM = "-----";
    private static final String PEM_BEGIN = PEM + "BEGIN ";
    private static final String PEM_END = PEM + "END ";
    private static final String PRIVATE_KEY = "PRIVATE KEY";

    private final CharSequence text;

    /** Of the run of characters of a JSON web token that was looked at last. */
    private int endOfRun = NONE;

    /** Where a JSON web token ends whose first part is that run. */
    private int endOfJsonToken = NONE;

    /** Up to where ends of private keys were looked for, and the one that was found there. */
    private int endsLookedAt;

    private int nextPemEnd = NONE;

    private SecretShapes(CharSequence text) {
        this.text = text;
    }

    static String hide(CharSequence text) {
        return new SecretShapes(text).hidden();
    }

    private String hidden() {
        var shown = new Shown(text);
        int at = 0;
        while (at < text.length()) {
            int end = end(at);
            if (end != NONE) {
                shown.hide(at, end);
            }
            at = end == NONE ? at + 1 : end;
        }
        return shown.text();
    }

    /** Where a secret ends that begins at {@code at}. */
    private int end(int at) {
        char first = text.charAt(at);
        int named =
                switch (first) {
                    case 'e' -> beginsAWord(at) ? jsonToken(at) : NONE;
                    case 'A' -> beginsAWord(at) ? cloudKey(at) : NONE;
                    case 'g' -> beginsAWord(at) ? gitHubToken(at) : NONE;
                    default -> NONE;
                };
        if (named != NONE) {
            return named;
        }
        int bearer = isAfterBearer(at) ? bearerToken(at) : NONE;
        return bearer == NONE && first == '-' ? privateKey(at) : bearer;
    }

    private boolean beginsAWord(int at) {
        return at == 0 || !Characters.isWord(text.charAt(at - 1));
    }

    private int jsonToken(int at) {
        if (!Characters.hasAt(text, at, text.length(), JSON_TOKEN)) {
            return NONE;
        }
        if (at >= endOfRun) {
            endOfRun = afterPart(at);
            endOfJsonToken = endOfJsonToken(endOfRun);
        }
        return endOfRun - at - JSON_TOKEN.length() >= SHORTEST_PART ? endOfJsonToken : NONE;
    }

    private int endOfJsonToken(int endOfFirst) {
        int second = afterDot(endOfFirst);
        int endOfSecond = second == NONE ? NONE : afterPart(second);
        int third = endOfSecond - second < SHORTEST_PART ? NONE : afterDot(endOfSecond);
        return third == NONE ? NONE : afterPart(third);
    }

    private int afterDot(int at) {
        return at < text.length() && text.charAt(at) == '.' ? at + 1 : NONE;
    }

    private int afterPart(int from) {
        int at = from;
        while (at < text.length()
                && (Characters.isWord(text.charAt(at)) || text.charAt(at) == '-')) {
            at++;
        }
        return at;
    }

    private int cloudKey(int at) {
        int start = at + "AKIA".length();
        int end = start + CLOUD_KEY;
        if (end > text.length()
                || !(Characters.hasAt(text, at, end, "AKIA")
                        || Characters.hasAt(text, at, end, "ASIA"))
                || (end < text.length() && Characters.isWord(text.charAt(end)))) {
            return NONE;
        }
        for (int i = start; i < end; i++) {
            if (!Characters.isUpperOrDigit(text.charAt(i))) {
                return NONE;
            }
        }
        return end;
    }

    private int gitHubToken(int at) {
        int start = at + "ghp_".length();
        if (!Characters.hasAt(text, at, text.length(), "gh")
                || start > text.length()
                || "pousr".indexOf(text.charAt(at + 2)) < 0
                || text.charAt(at + 3) != '_') {
            return NONE;
        }
        int end = start;
        while (end < text.length() && Characters.isWord(text.charAt(end))) {
            end++;
        }
        return end - start >= SHORTEST_GITHUB ? end : NONE;
    }

    private boolean isAfterBearer(int at) {
        int start = at - BEARER.length();
        return start > 0
                && text.charAt(at - 1) == ' '
                && Characters.hasAt(text, start, at, BEARER)
                && Characters.lower(text.charAt(start - 1)) == 'b';
    }

    private int bearerToken(int at) {
        int end = at;
        while (end < text.length()
                && text.charAt(end) != '='
                && Characters.isToken(text.charAt(end))) {
            end++;
        }
        if (end - at < SHORTEST_PART) {
            return NONE;
        }
        while (end < text.length() && text.charAt(end) == '=') {
            end++;
        }
        return end;
    }

    private int privateKey(int at) {
        int start = afterPemLine(at, PEM_BEGIN);
        if (start == NONE) {
            return NONE;
        }
        if (nextPemEnd < start) {
            nextPemEnd = nextPemEnd(Math.max(start, endsLookedAt));
        }
        return nextPemEnd == NONE ? text.length() : afterPemLine(nextPemEnd, PEM_END);
    }

    private int nextPemEnd(int from) {
        for (int at = from; at < text.length(); at++) {
            if (text.charAt(at) == '-' && afterPemLine(at, PEM_END) != NONE) {
                endsLookedAt = at + 1;
                return at;
            }
        }
        endsLookedAt = text.length();
        return NONE;
    }

    /** After the first or the last line of a private key that begins at {@code at}. */
    private int afterPemLine(int at, String beginning) {
        if (!Characters.hasAt(text, at, text.length(), beginning)) {
            return NONE;
        }
        int start = at + beginning.length();
        int end = start;
        while (end < text.length()
                && (Characters.isUpper(text.charAt(end)) || text.charAt(end) == ' ')) {
            end++;
        }
        int key = end - PRIVATE_KEY.length();
        return key >= start
                        && Characters.hasAt(text, key, end, PRIVATE_KEY)
                        && Characters.hasAt(text, end, text.length(), PEM)
                ? end + PEM.length()
                : NONE;
    }
}
