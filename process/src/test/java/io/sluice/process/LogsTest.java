// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.process.Logs.Style;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.Redaction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class LogsTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final LoggerContext context = new LoggerContext();
    private final Logs logs = new Logs(context, this::appender);

    LogsTest() {
        context.setMDCAdapter(new ch.qos.logback.classic.util.LogbackMDCAdapter());
    }

    private OutputStreamAppender<ILoggingEvent> appender() {
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        appender.setOutputStream(written);
        return appender;
    }

    @AfterEach
    void forget() {
        MDC.clear();
    }

    @Test
    void writesJsonOrTextAsAskedAndChangesWhileItRuns() throws IOException {
        logs.use(new Style(Level.INFO, true));
        context.getLogger("a").info("one");

        logs.use(new Style(Level.INFO, false));
        context.getLogger("a").info("two");

        List<String> lines = lines();
        JsonNode json = new ObjectMapper().readTree(lines.getFirst());
        assertThat(json.path("formattedMessage").asText()).isEqualTo("one");
        assertThat(lines.getLast()).endsWith("two").doesNotContain("{");
    }

    @Test
    void followsTheLevel() {
        logs.use(new Style(Level.INFO, false));
        context.getLogger("a").debug("one");

        logs.use(new Style(Level.DEBUG, false));
        context.getLogger("a").debug("two");

        assertThat(lines()).singleElement().asString().contains("two");
    }

    @Test
    void showsNoSecretWhereverItStands() {
        for (boolean json : List.of(true, false)) {
            logs.use(new Style(Level.INFO, json));
            context.getLogger("a")
                    .atInfo()
                    .addKeyValue("password", "hunter2")
                    .setCause(new IllegalStateException("token=hunter2"))
                    .log("at https://me:hunter2@example.org with secret: hunter2");
        }

        assertThat(written.toString(StandardCharsets.UTF_8))
                .doesNotContain("hunter2")
                .contains("******");
    }

    @Test
    void aLineThatIsCutIsStillALineOfItsOwn() {
        logs.use(new Style(Level.INFO, false));
        context.getLogger("a").info("word ".repeat(Redaction.LONGEST));
        context.getLogger("a").info("two");

        assertThat(lines()).hasSize(2);
        assertThat(lines().getFirst()).contains("(cut: ");
    }

    @Test
    void takesTheConfigurationBeforeTheEnvironment() {
        var environment =
                new Environment(Map.of("SLUICE_LOG_LEVEL", "WARN", "SLUICE_LOG_FORMAT", "text"));

        assertThat(Style.of(options("kubernetes.operator.log.level", "debug"), environment))
                .isEqualTo(new Style(Level.DEBUG, false));
        assertThat(Style.of(options("kubernetes.operator.log.format", "json"), environment))
                .isEqualTo(new Style(Level.WARN, true));
        assertThat(Style.of(new Environment(Map.of()))).isEqualTo(new Style(Level.INFO, true));
    }

    @Test
    void takesWhatTheReferenceSaysOfVariablesThatAreNotSet() {
        Map<String, String> usual = new HashMap<>();
        for (Variable variable : List.of(Variable.LOG_LEVEL, Variable.LOG_FORMAT)) {
            variable.usual().ifPresent(value -> usual.put(variable.wire(), value));
        }

        assertThat(usual).hasSize(2);
        assertThat(Style.of(new Environment(usual))).isEqualTo(Style.of(new Environment(Map.of())));
    }

    @Test
    void leavesOutWhatIsToldElsewhere() {
        logs.use(new Style(Level.INFO, false));
        logs.quiet("a", Level.ERROR);

        context.getLogger("a.b").warn("one");

        assertThat(lines()).isEmpty();
    }

    private static Options options(String key, String value) {
        return new Options(new FlinkConfiguration(Map.of(key, value)));
    }

    private List<String> lines() {
        return written.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
