// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import java.net.URI;

/** Where a savepoint or checkpoint is, in one spelling. */
public final class SavepointLocation {
    private SavepointLocation() {}

    /**
     * The same location without what differs: Flink answers {@code file:/x} for {@code file:///x}.
     */
    public static String normal(String location) {
        String path = location.strip();
        try {
            URI uri = URI.create(path).normalize();
            if (uri.getScheme() != null && uri.getAuthority() == null && uri.getPath() != null) {
                path = uri.getScheme() + ":" + uri.getPath();
            }
        } catch (IllegalArgumentException noUri) {
            // as it is written
        }
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
