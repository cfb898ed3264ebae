// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.examples.SqlStatement.Definition;
import io.sluice.examples.SqlStatement.Insert;
import io.sluice.examples.SqlStatement.Setting;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlScriptTest {
    private static final String INSERT = "INSERT INTO seen SELECT id FROM orders";

    @Test
    void isSplitAtSemicolons() {
        assertThat(statements("SET 'pipeline.name' = 'it''s'; CREATE TABLE a (b INT);" + INSERT))
                .containsExactly(
                        new Setting("pipeline.name", "it's"),
                        new Definition("CREATE TABLE a (b INT)"),
                        new Insert(INSERT));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    CREATE VIEW v AS SELECT ';' AS x
                    CREATE VIEW v AS SELECT 'it''s; so' AS x
                    CREATE VIEW `a;b` AS SELECT 1
                    CREATE VIEW v AS SELECT '-- no comment' AS x
                    CREATE VIEW v AS SELECT /*+ LOOKUP('table'=';') */ 1
                    """)
    void keepsWhatIsQuotedOrAHintTogether(String sql) {
        assertThat(statements(sql + ";" + INSERT)).first().isEqualTo(new Definition(sql));
    }

    @Test
    void leavesCommentsOut() {
        assertThat(
                        statements(
                                """
                                -- what it's for; and why
                                /* two
                                   lines; */
                                INSERT INTO seen -- all of them
                                SELECT 1;
                                """))
                .singleElement()
                .isInstanceOfSatisfying(
                        Insert.class,
                        insert ->
                                assertThat(insert.sql())
                                        .isEqualToIgnoringWhitespace("INSERT INTO seen SELECT 1"));
    }

    @Test
    void needsNoSemicolonAtItsEnd() {
        assertThat(statements(INSERT)).containsExactly(new Insert(INSERT));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    SELECT 1                       | line 3: nobody would read what SELECT returns
                    EXECUTE STATEMENT SET          | line 3: all INSERTs of a script are one job anyway
                    SET pipeline.name = x          | line 3: write SET 'key' = 'value'
                    INSERT INTO a SELECT 'b        | line 3: the quote ' is never closed
                    /* INSERT INTO a SELECT 1      | line 3: the comment /* is never closed
                    """)
    void isRefusedWithTheLineOfWhatIsWrong(String sql, String told) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SqlScript.of("-- first\n" + INSERT + ";\n" + sql))
                .withMessageStartingWith(told);
    }

    @Test
    void isNoJobWithoutAnInsert() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SqlScript.of("CREATE TABLE a (b INT)"))
                .withMessageContaining("has no INSERT");
    }

    private static List<SqlStatement> statements(String text) {
        return SqlScript.of(text).statements();
    }
}
