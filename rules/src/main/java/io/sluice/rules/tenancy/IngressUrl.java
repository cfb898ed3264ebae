// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.tenancy;

import io.sluice.rules.pattern.Placeholders;
import java.util.List;
import java.util.Optional;

/**
 * The URL of {@code spec.ingress.template}, with its placeholders filled in. What is checked and
 * what is rendered is read by this one class, so that they cannot differ.
 *
 * @param host empty for any
 * @param path from the root on
 */
public record IngressUrl(Optional<String> host, String path) {
    private static final int LONGEST_PORT = 5;

    /** Empty if {@code template} gives no URL, which the rules report. */
    public static Optional<IngressUrl> of(String template, Placeholders names) {
        String url = withoutScheme(names.fill(template.strip()));
        int slash = url.indexOf('/');
        String authority = slash < 0 ? url : url.substring(0, slash);
        String path = slash < 0 ? "/" : url.substring(slash);
        int colon = authority.indexOf(':');
        String host = colon < 0 ? authority : authority.substring(0, colon);
        boolean isReadable =
                (colon < 0 || isPort(authority.substring(colon + 1)))
                        && path.chars().noneMatch(each -> each == '\n' || each == '\r');
        return isReadable
                ? Optional.of(new IngressUrl(Optional.of(host).filter(it -> !it.isEmpty()), path))
                : Optional.empty();
    }

    private static String withoutScheme(String url) {
        for (String scheme : List.of("http://", "https://")) {
            if (url.startsWith(scheme)) {
                return url.substring(scheme.length());
            }
        }
        return url;
    }

    private static boolean isPort(String text) {
        return !text.isEmpty()
                && text.length() <= LONGEST_PORT
                && text.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    }
}
