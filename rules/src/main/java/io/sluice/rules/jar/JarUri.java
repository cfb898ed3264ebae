// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.jar;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;

/**
 * A jar's address, taken apart as the most forgiving of its readers might: what one of them would
 * take for a host counts as one.
 *
 * @param scheme in lower case
 * @param host normalised: no user info, port, brackets or trailing dots, lower case, decoded
 * @param isPlain whether every reader takes the same for the host
 */
public record JarUri(Optional<String> scheme, Optional<String> host, boolean isPlain) {
    /** Empty if {@code text} is no URI. */
    public static Optional<JarUri> parse(String text) {
        try {
            var uri = new URI(text);
            return Optional.of(
                    new JarUri(
                            Optional.ofNullable(uri.getScheme())
                                    .map(scheme -> scheme.toLowerCase(Locale.ROOT)),
                            authority(text).map(JarUri::host).filter(host -> !host.isEmpty()),
                            Optional.ofNullable(uri.getRawAuthority())
                                    .filter(raw -> authority(text).equals(Optional.of(raw)))
                                    .filter(JarUri::isPlain)
                                    .isPresent()));
        } catch (URISyntaxException notOne) {
            return Optional.empty();
        }
    }

    public boolean isHttp() {
        return scheme.filter(each -> each.equals("http") || each.equals("https")).isPresent();
    }

    /** Whether Flink looks for it on the disk of its own pod. */
    public boolean isOfThePod() {
        return scheme.filter(each -> each.equals("file") || each.equals("local")).isPresent();
    }

    /** {@code text} without what may be a password in it. */
    public static String shown(String text) {
        int start = text.indexOf("//");
        int end = start < 0 ? -1 : text.substring(0, pathOf(text, start + 2)).lastIndexOf('@');
        return end < 0 ? text : text.substring(0, start + 2) + "******" + text.substring(end);
    }

    private static Optional<String> authority(String text) {
        int start = text.indexOf("//");
        return start < 0
                ? Optional.empty()
                : Optional.of(text.substring(start + 2, pathOf(text, start + 2)));
    }

    private static int pathOf(String text, int from) {
        int end = from;
        while (end < text.length() && "/?#\\".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    private static String host(String authority) {
        String host = decode(authority.substring(authority.lastIndexOf('@') + 1));
        if (host.startsWith("[")) {
            int end = host.indexOf(']');
            host = host.substring(1, end < 0 ? host.length() : end);
        } else if (host.indexOf(':') >= 0) {
            host = host.substring(0, host.indexOf(':'));
        }
        host =
                Normalizer.normalize(host, Normalizer.Form.NFKC)
                        .replace('\u3002', '.')
                        .toLowerCase(Locale.ROOT)
                        .strip();
        while (host.endsWith(".")) {
            host = host.substring(0, host.length() - 1);
        }
        return host;
    }

    /** A bucket or a host with its port; before them a container, as Azure's addresses have it. */
    private static boolean isPlain(String authority) {
        int container = authority.indexOf('@');
        int port = authority.indexOf(':', container);
        String host = authority.substring(container + 1, port < 0 ? authority.length() : port);
        return !host.isEmpty()
                && consistsOf(authority.substring(0, Math.max(0, container)), "$-")
                && consistsOf(host, "._-")
                && (port < 0 || authority.substring(port + 1).chars().allMatch(Character::isDigit));
    }

    private static boolean consistsOf(String text, String punctuation) {
        return text.chars()
                .allMatch(
                        each ->
                                (each >= 'a' && each <= 'z')
                                        || (each >= 'A' && each <= 'Z')
                                        || (each >= '0' && each <= '9')
                                        || punctuation.indexOf(each) >= 0);
    }

    private static String decode(String authority) {
        try {
            return URLDecoder.decode(authority.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return authority;
        }
    }
}
