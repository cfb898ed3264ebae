// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A script of statements that end with semicolons. Comments are left out; hints stay.
 *
 * @param statements at least one of them an {@link SqlStatement.Insert}
 */
record SqlScript(List<SqlStatement> statements) {
    private static final Pattern SET =
            Pattern.compile(
                    "SET\\s+'((?:[^']|'')+)'\\s*=\\s*'((?:[^']|'')*)'", Pattern.CASE_INSENSITIVE);
    private static final Pattern FIRST_WORD = Pattern.compile("\\w+");

    SqlScript {
        statements = List.copyOf(statements);
    }

    /**
     * @throws IllegalArgumentException for what can't be part of a job, with its line
     */
    static SqlScript of(String text) {
        List<SqlStatement> statements = new ArrayList<>();
        for (Piece piece : pieces(text)) {
            statements.add(statement(piece));
        }
        if (statements.stream().noneMatch(SqlStatement.Insert.class::isInstance)) {
            throw new IllegalArgumentException(
                    "the script has no INSERT: add the one whose rows the job is to write");
        }
        return new SqlScript(statements);
    }

    private static SqlStatement statement(Piece piece) {
        Matcher word = FIRST_WORD.matcher(piece.sql);
        String first = word.lookingAt() ? word.group().toUpperCase(Locale.ROOT) : "";
        return switch (first) {
            case "SET" -> setting(piece);
            case "INSERT" -> new SqlStatement.Insert(piece.sql);
            case "SELECT", "WITH", "SHOW", "DESCRIBE", "EXPLAIN" ->
                    throw piece.wrong(
                            "nobody would read what " + first + " returns: INSERT it into a table");
            case "EXECUTE", "BEGIN", "END" ->
                    throw piece.wrong(
                            "all INSERTs of a script are one job anyway: leave "
                                    + first
                                    + " out and write them one after the other");
            default -> new SqlStatement.Definition(piece.sql);
        };
    }

    private static SqlStatement setting(Piece piece) {
        Matcher set = SET.matcher(piece.sql);
        if (!set.matches()) {
            throw piece.wrong("write SET 'key' = 'value', both in single quotes");
        }
        return new SqlStatement.Setting(unquoted(set.group(1)), unquoted(set.group(2)));
    }

    private static String unquoted(String text) {
        return text.replace("''", "'");
    }

    private static List<Piece> pieces(String text) {
        List<Piece> pieces = new ArrayList<>();
        StringBuilder sql = new StringBuilder();
        int line = 1;
        int begin = 0; // none yet
        int at = 0;
        while (at < text.length()) {
            int end = endOfToken(text, at, line);
            String token = text.substring(at, end);
            if (token.equals(";")) {
                add(pieces, sql, begin);
                begin = 0;
            } else if (isComment(token)) {
                sql.append(' ');
            } else {
                if (begin == 0 && !token.isBlank()) {
                    begin = line;
                }
                sql.append(token);
            }
            line += (int) token.chars().filter(c -> c == '\n').count();
            at = end;
        }
        add(pieces, sql, begin);
        return pieces;
    }

    private static void add(List<Piece> pieces, StringBuilder sql, int line) {
        if (!sql.toString().isBlank()) {
            pieces.add(new Piece(sql.toString().strip(), line));
        }
        sql.setLength(0);
    }

    /** Of a quoted text, a comment, or a single character. A doubled quote begins another text. */
    private static int endOfToken(String text, int at, int line) {
        char first = text.charAt(at);
        if (first == '\'' || first == '"' || first == '`') {
            return after(text, String.valueOf(first), at + 1, line, "quote " + first);
        }
        if (text.startsWith("--", at)) {
            int end = text.indexOf('\n', at);
            return end < 0 ? text.length() : end;
        }
        if (text.startsWith("/*", at)) {
            return after(text, "*/", at + 2, line, "comment /*");
        }
        return at + 1;
    }

    private static int after(String text, String mark, int from, int line, String what) {
        int found = text.indexOf(mark, from);
        if (found < 0) {
            throw new IllegalArgumentException(
                    "line " + line + ": the " + what + " is never closed");
        }
        return found + mark.length();
    }

    private static boolean isComment(String token) {
        return token.startsWith("--") || (token.startsWith("/*") && !token.startsWith("/*+"));
    }

    /**
     * @param line its first, from 1
     */
    private record Piece(String sql, int line) {
        IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException("line " + line + ": " + what);
        }
    }
}
