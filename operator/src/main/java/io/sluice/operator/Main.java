// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import io.sluice.operator.config.Settings;
import io.sluice.plugins.Plugins;
import io.sluice.process.LiveConfiguration;
import java.io.IOException;

/** Starts the operator, and says in one line why it can't. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        try {
            OperatorProcess.start(Settings.from(System.getenv()));
        } catch (Settings.Unusable | LiveConfiguration.Unusable | Plugins.Unusable unusable) {
            System.err.println(unusable.getMessage());
            System.exit(2);
        } catch (IOException taken) {
            System.err.println(
                    "SLUICE_HTTP_PORT: the port can't be listened on: " + taken.getMessage());
            System.exit(2);
        }
    }
}
