// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.cron;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The two ways to write a schedule: five fields as for a Kubernetes CronJob, six or seven as Quartz
 * has them, whose seconds must be one number.
 */
final class CronGrammar {
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern SECOND = Pattern.compile("[0-5]?\\d");
    private static final int UNIX_FIELDS = 5;
    private static final Map<String, String> NICKNAMES =
            Map.of(
                    "@yearly", "0 0 1 1 *",
                    "@annually", "0 0 1 1 *",
                    "@monthly", "0 0 1 * *",
                    "@weekly", "0 0 * * 0",
                    "@daily", "0 0 * * *",
                    "@midnight", "0 0 * * *",
                    "@hourly", "0 * * * *");

    /** Built on the first use: few resources have a schedule, and the grammars are large. */
    private static final class Unix {
        static final CronParser PARSER =
                new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
    }

    /** Likewise. */
    private static final class Quartz {
        static final CronParser PARSER =
                new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
    }

    private CronGrammar() {}

    /** Empty if {@code text} is neither, or comes more often than once a minute. */
    static Optional<ExecutionTime> parse(String text) {
        String expression = NICKNAMES.getOrDefault(text.strip(), text.strip());
        List<String> fields = BLANKS.splitAsStream(expression).toList();
        boolean isUnix = fields.size() == UNIX_FIELDS;
        if (!isUnix && !SECOND.matcher(fields.getFirst()).matches()) {
            return Optional.empty();
        }
        try {
            CronParser parser = isUnix ? Unix.PARSER : Quartz.PARSER;
            return Optional.of(ExecutionTime.forCron(parser.parse(expression)));
        } catch (IllegalArgumentException neither) {
            return Optional.empty();
        }
    }
}
