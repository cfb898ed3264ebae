// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;
import java.util.Optional;

/**
 * The process's log until its configuration is read, by what the environment says, unless a file of
 * logback's own is named. Logback finds it as a service. In XML it would say the same, and reading
 * that takes a tenth of the webhook's start.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
    private static final List<String> LIBRARIES =
            List.of("org.eclipse.jetty", "io.javalin", "org.apache.flink");

    private final Environment environment;
    private final Optional<String> file;

    /** For logback. */
    public LogSetup() {
        this(
                Environment.ofProcess(),
                Optional.ofNullable(System.getProperty("logback.configurationFile")));
    }

    LogSetup(Environment environment, Optional<String> file) {
        this.environment = environment;
        this.file = file;
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (file.isPresent()) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        Level libraries =
                Level.toLevel(environment.text(Variable.LIBRARY_LOG_LEVEL).orElse(""), Level.WARN);
        LIBRARIES.forEach(each -> context.getLogger(each).setLevel(libraries));
        // That the kinds are v1beta1 is their name on the wire.
        context.getLogger("io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils")
                .setLevel(Level.ERROR);
        new Logs(context, ConsoleAppender::new).use(Logs.Style.of(environment));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
