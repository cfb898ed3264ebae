// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.table.api.TableEnvironment;

/**
 * A job that a script says in SQL. Its argument is the script's path, in a volume of a ConfigMap
 * for instance; all its INSERTs together are the job.
 */
public final class SqlJob {

    private SqlJob() {}

    /**
     * @throws IllegalArgumentException if the script can't be a job
     * @throws IOException if it can't be read
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            throw new IllegalArgumentException(
                    "spec.job.args must be one path, of the script, such as /opt/flink/sql/job.sql");
        }
        SqlScript script = SqlScript.of(Files.readString(Path.of(args[0])));
        define(TableEnvironment.create(EnvironmentSettings.inStreamingMode()), script).execute();
    }

    static StatementSet define(TableEnvironment tables, SqlScript script) {
        StatementSet job = tables.createStatementSet();
        for (SqlStatement statement : script.statements()) {
            if (statement instanceof SqlStatement.Setting setting) {
                tables.getConfig().set(setting.key(), setting.value());
            } else if (statement instanceof SqlStatement.Insert insert) {
                job.addInsertSql(insert.sql());
            } else if (statement instanceof SqlStatement.Definition definition) {
                tables.executeSql(definition.sql());
            }
        }
        return job;
    }
}
