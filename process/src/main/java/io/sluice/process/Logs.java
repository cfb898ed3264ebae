// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ProcessOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/**
 * The process's log, as the configuration says at the moment. Every line of an operator's pass has
 * the resource's namespace, name and generation, which its framework puts into the diagnostic
 * context.
 */
public final class Logs {
    private static final String TEXT =
            "%d{HH:mm:ss.SSS} %-5level %logger{20}"
                    + " %replace([%X{resource.namespace}/%X{resource.name}@%X{resource.generation}]){'\\[/@\\]', ''}"
                    + " %kvp %msg%n";

    private final LoggerContext context;
    private final Supplier<OutputStreamAppender<ILoggingEvent>> appenders;

    /** What the log is like; words that mean nothing are those of the default. */
    public record Style(Level level, boolean json) {
        /** The environment holds until a configuration says otherwise. */
        public static Style of(DefaultConfiguration configuration) {
            return of(new Options(configuration.own()), Environment.ofProcess());
        }

        static Style of(Environment environment) {
            return of(new Options(FlinkConfiguration.EMPTY), environment);
        }

        static Style of(Options options, Environment environment) {
            String level =
                    options.value(ProcessOptions.LOG_LEVEL)
                            .or(() -> environment.text(Variable.LOG_LEVEL))
                            .orElse("");
            String format =
                    options.value(ProcessOptions.LOG_FORMAT)
                            .or(() -> environment.text(Variable.LOG_FORMAT))
                            .orElse("");
            return new Style(
                    Level.toLevel(
                            level.toUpperCase(Locale.ROOT),
                            Level.toLevel(ProcessOptions.LOG_LEVEL.otherwise())),
                    !format.equalsIgnoreCase("text"));
        }
    }

    /** The log of this process, on standard output. */
    public static Logs ofProcess() {
        return new Logs((LoggerContext) LoggerFactory.getILoggerFactory(), ConsoleAppender::new);
    }

    /**
     * @param appenders makes one for each style, to where lines go
     */
    Logs(LoggerContext context, Supplier<OutputStreamAppender<ILoggingEvent>> appenders) {
        this.context = context;
        this.appenders = appenders;
    }

    /** From now on. */
    public void use(Style style) {
        OutputStreamAppender<ILoggingEvent> next = appenders.get();
        next.setContext(context);
        next.setName("sluice " + style);
        next.setEncoder(encoder(style.json()));
        next.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        List<Appender<ILoggingEvent>> before = new ArrayList<>();
        root.iteratorForAppenders().forEachRemaining(before::add);
        root.addAppender(next);
        before.forEach(root::detachAppender);
        root.setLevel(style.level());
    }

    /** Leaves out what is told in a line of our own. */
    public void quiet(String logger, Level least) {
        context.getLogger(logger).setLevel(least);
    }

    private Encoder<ILoggingEvent> encoder(boolean json) {
        Encoder<ILoggingEvent> plain = json ? json() : text();
        plain.setContext(context);
        plain.start();
        var redacting = new RedactingEncoder(plain);
        redacting.setContext(context);
        redacting.start();
        return redacting;
    }

    private static JsonEncoder json() {
        var encoder = new JsonEncoder();
        encoder.setWithArguments(false);
        encoder.setWithContext(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithSequenceNumber(false);
        encoder.setWithFormattedMessage(true);
        encoder.setWithMessage(false);
        return encoder;
    }

    private static PatternLayoutEncoder text() {
        var encoder = new PatternLayoutEncoder();
        encoder.setPattern(TEXT);
        return encoder;
    }
}
