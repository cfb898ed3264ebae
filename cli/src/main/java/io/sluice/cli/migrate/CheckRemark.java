// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

/**
 * Something that there is to say before a migration.
 *
 * @param id the rule of admission, or what this command itself has found; kebab-case
 * @param path the field that it is about; empty if it is about the whole
 * @param text what is so, and what to do
 */
record CheckRemark(String id, String path, String text) {
    /** In one line: id, path if there is one, text. */
    String line() {
        return id + "  " + (path.isEmpty() ? "" : path + ": ") + text;
    }
}
