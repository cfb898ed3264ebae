// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.document;

import org.yaml.snakeyaml.error.Mark;

/**
 * Where something stands in a file.
 *
 * @param line from 1
 * @param column from 1, in characters
 */
public record Position(int line, int column) {
    static final Position START = new Position(1, 1);

    static Position of(Mark mark) {
        return new Position(mark.getLine() + 1, mark.getColumn() + 1);
    }
}
