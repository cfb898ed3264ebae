// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Gateway of the Gateway API.
 *
 * @param namespace empty for that of whoever refers to it
 * @param listener one of its listeners, by name; empty for all that fit
 */
public record GatewayRef(Optional<String> namespace, String name, Optional<String> listener) {
    private static final Pattern FORM =
            Pattern.compile("(?:([a-z0-9.-]+)/)?([a-z0-9.-]+)(?:#([a-z0-9.-]+))?");

    /**
     * @param text {@code namespace/name#listener}, of which only the name has to be there
     * @return empty if it is no such text
     */
    public static Optional<GatewayRef> parse(String text) {
        return Optional.of(FORM.matcher(text.strip()))
                .filter(Matcher::matches)
                .map(
                        found ->
                                new GatewayRef(
                                        Optional.ofNullable(found.group(1)),
                                        found.group(2),
                                        Optional.ofNullable(found.group(3))));
    }
}
