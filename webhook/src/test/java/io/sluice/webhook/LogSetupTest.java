// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class LogSetupTest {
    private final LoggerContext context = new LoggerContext();

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void isFoundByLogback() {
        assertThat(ServiceLoader.load(Configurator.class))
                .hasAtLeastOneElementOfType(LogSetup.class);
    }

    @Test
    void writesTextAndLittleOfLibrariesIfNothingIsSaid() {
        configure(Map.of());

        assertThat(encoder()).isInstanceOf(PatternLayoutEncoder.class);
        assertThat(context.getLogger("io.sluice.webhook").getEffectiveLevel())
                .isEqualTo(Level.INFO);
        assertThat(context.getLogger("org.eclipse.jetty.server").getEffectiveLevel())
                .isEqualTo(Level.WARN);
        assertThat(context.getLogger("io.javalin.Javalin").getEffectiveLevel())
                .isEqualTo(Level.WARN);
    }

    @Test
    void writesWhatTheEnvironmentSays() {
        configure(
                Map.of(
                        "SLUICE_LOG_FORMAT", "json",
                        "SLUICE_LOG_LEVEL", "debug",
                        "SLUICE_LIBRARY_LOG_LEVEL", "INFO"));

        assertThat(encoder()).isInstanceOf(JsonEncoder.class);
        assertThat(context.getLogger("io.sluice.webhook").getEffectiveLevel())
                .isEqualTo(Level.DEBUG);
        assertThat(context.getLogger("io.javalin").getEffectiveLevel()).isEqualTo(Level.INFO);
    }

    @Test
    void takesAWordThatMeansNothingForTheDefault() {
        configure(Map.of("SLUICE_LOG_LEVEL", "loud"));

        assertThat(context.getLogger("io.sluice.webhook").getEffectiveLevel())
                .isEqualTo(Level.INFO);
    }

    private void configure(Map<String, String> environment) {
        assertThat(new LogSetup(environment).configure(context))
                .isEqualTo(Configurator.ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
    }

    private Encoder<ILoggingEvent> encoder() {
        var console =
                (ConsoleAppender<ILoggingEvent>)
                        context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("console");
        return console.getEncoder();
    }
}
