// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import io.javaoperatorsdk.operator.OperatorException;
import io.sluice.operator.config.Settings;
import io.sluice.plugins.Plugins;
import io.sluice.process.Environment;
import io.sluice.process.LiveConfiguration;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the operator, and says in one line why it can't. */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {}

    public static void main(String[] args) {
        try {
            OperatorProcess.start(Settings.from(System.getenv()));
        } catch (Environment.Unusable
                | Settings.Unusable
                | LiveConfiguration.Unusable
                | Plugins.Unusable unusable) {
            System.err.println(unusable.getMessage());
            System.exit(2);
        } catch (IOException taken) {
            System.err.println(
                    "SLUICE_HTTP_PORT: the port can't be listened on: " + taken.getMessage());
            System.exit(2);
        } catch (RuntimeException failed) {
            LOG.atError()
                    .setCause(failed)
                    .log("the operator can't start, and ends: {}", why(failed));
            // Watches that were opened and the port would keep it alive, and it would do nothing.
            Runtime.getRuntime().halt(1);
        }
    }

    /** What could not be done, as the framework says it last, and what hindered it. */
    private static String why(Throwable failed) {
        List<Throwable> causes =
                Stream.iterate(
                                Optional.of(failed),
                                Optional::isPresent,
                                each -> each.map(Throwable::getCause))
                        .flatMap(Optional::stream)
                        .toList();
        return causes.reversed().stream()
                        .filter(OperatorException.class::isInstance)
                        .findFirst()
                        .map(what -> what.getMessage() + ": ")
                        .orElse("")
                + causes.getLast();
    }
}
