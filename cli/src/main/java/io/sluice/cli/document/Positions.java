// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.document;

import java.util.Map;

/**
 * Where the fields of one document stand. A field is found under every way to write its path:
 * {@code spec.flinkConfiguration[a.b]} is the same place whether {@code a.b} is one key or {@code
 * b} is nested in {@code a}.
 */
public final class Positions {
    private final Map<String, Position> byPath;
    private final String prefix;

    /**
     * @param byPath by {@linkplain #canonical canonical} path; the whole document is the empty one
     */
    Positions(Map<String, Position> byPath) {
        this(byPath, "");
    }

    private Positions(Map<String, Position> byPath, String prefix) {
        this.byPath = byPath;
        this.prefix = prefix;
    }

    /**
     * The place of a field, or of the nearest one around it if the field is missing.
     *
     * @param path as problems name it, for example {@code spec.job.args[0]}
     */
    public Position of(String path) {
        String canonical = canonical(path);
        while (!canonical.isEmpty()) {
            Position position = byPath.get(join(prefix, canonical));
            if (position != null) {
                return position;
            }
            canonical = canonical.substring(0, Math.max(0, canonical.lastIndexOf('.')));
        }
        return byPath.getOrDefault(prefix, Position.START);
    }

    /** The places of what is below a field, whose paths begin there. */
    Positions below(String path) {
        return new Positions(byPath, join(prefix, canonical(path)));
    }

    /** The path with a dot before each key and each index. */
    static String canonical(String path) {
        return path.replace('[', '.').replace("]", "");
    }

    static String join(String above, String below) {
        return above.isEmpty() ? below : above + "." + below;
    }
}
