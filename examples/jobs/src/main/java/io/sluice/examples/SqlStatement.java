// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

/** One statement of a script, by what is to be done with it. */
sealed interface SqlStatement {

    /** {@code SET 'key' = 'value'}: an option of Flink's, for what comes after it. */
    record Setting(String key, String value) implements SqlStatement {}

    /** {@code INSERT INTO …}: a part of the job. */
    record Insert(String sql) implements SqlStatement {}

    /** Whatever is carried out at once: tables, views, functions, catalogs. */
    record Definition(String sql) implements SqlStatement {}
}
