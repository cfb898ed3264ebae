// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Map;
import org.slf4j.Logger;

/**
 * The process's log, by what the environment says. Logback finds it as a service. In XML it would
 * say the same, and reading that takes a tenth of the start.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
    private static final String TEXT = "%d{HH:mm:ss.SSS} %-5level %logger{20} %kvp %msg%n";

    private final Map<String, String> environment;

    /** For logback. */
    public LogSetup() {
        this(System.getenv());
    }

    LogSetup(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        Level libraries = level("SLUICE_LIBRARY_LOG_LEVEL", Level.WARN);
        context.getLogger("org.eclipse.jetty").setLevel(libraries);
        context.getLogger("io.javalin").setLevel(libraries);
        // That the kinds are v1beta1 is their name on the wire.
        context.getLogger("io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils")
                .setLevel(Level.ERROR);
        // What it retries is told in a line of our own.
        context.getLogger("io.fabric8.kubernetes.client.informers.impl.cache.Reflector")
                .setLevel(Level.ERROR);
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(level("SLUICE_LOG_LEVEL", Level.INFO));
        root.addAppender(
                console(
                        context,
                        environment.getOrDefault("SLUICE_LOG_FORMAT", "text").equals("json")
                                ? json()
                                : text()));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** A word that means nothing is that of the default. */
    private Level level(String name, Level otherwise) {
        return Level.toLevel(environment.getOrDefault(name, ""), otherwise);
    }

    private static ConsoleAppender<ILoggingEvent> console(
            LoggerContext context, Encoder<ILoggingEvent> encoder) {
        encoder.setContext(context);
        encoder.start();
        var console = new ConsoleAppender<ILoggingEvent>();
        console.setContext(context);
        console.setName("console");
        console.setEncoder(encoder);
        console.start();
        return console;
    }

    private static Encoder<ILoggingEvent> json() {
        var encoder = new JsonEncoder();
        encoder.setWithArguments(false);
        encoder.setWithContext(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithSequenceNumber(false);
        encoder.setWithFormattedMessage(true);
        encoder.setWithMessage(false);
        return encoder;
    }

    private static Encoder<ILoggingEvent> text() {
        var encoder = new PatternLayoutEncoder();
        encoder.setPattern(TEXT);
        return encoder;
    }
}
