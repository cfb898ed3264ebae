// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import java.util.Map;
import java.util.Optional;
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
    void writesJsonAndLittleOfLibrariesIfNothingIsSaid() {
        configure(Map.of());

        assertThat(appender()).contains("INFO").contains("json=true");
        assertThat(level("io.sluice.webhook")).isEqualTo(Level.INFO);
        assertThat(level("org.eclipse.jetty.server")).isEqualTo(Level.WARN);
        assertThat(level("io.javalin.Javalin")).isEqualTo(Level.WARN);
        assertThat(level("org.apache.flink.autoscaler")).isEqualTo(Level.WARN);
    }

    @Test
    void writesWhatTheEnvironmentSays() {
        configure(
                Map.of(
                        "SLUICE_LOG_FORMAT", "text",
                        "SLUICE_LOG_LEVEL", "debug",
                        "SLUICE_LIBRARY_LOG_LEVEL", "INFO"));

        assertThat(appender()).contains("json=false");
        assertThat(level("io.sluice.webhook")).isEqualTo(Level.DEBUG);
        assertThat(level("io.javalin")).isEqualTo(Level.INFO);
    }

    @Test
    void takesAWordThatMeansNothingForTheDefault() {
        configure(Map.of("SLUICE_LOG_LEVEL", "loud"));

        assertThat(level("io.sluice.webhook")).isEqualTo(Level.INFO);
    }

    @Test
    void leavesItToAFileOfLogbacksOwn() {
        assertThat(
                        new LogSetup(new Environment(Map.of()), Optional.of("mine.xml"))
                                .configure(context))
                .isEqualTo(Configurator.ExecutionStatus.INVOKE_NEXT_IF_ANY);
    }

    private void configure(Map<String, String> variables) {
        assertThat(new LogSetup(new Environment(variables), Optional.empty()).configure(context))
                .isEqualTo(Configurator.ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
    }

    private Level level(String logger) {
        return context.getLogger(logger).getEffectiveLevel();
    }

    /** Its name tells its style. */
    private String appender() {
        return context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders().next().getName();
    }
}
