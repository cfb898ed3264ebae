// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/** What the chart configures unless its user says otherwise. */
public final class ChartDefaults {
    private static final Path FILE = Path.of("../helm/sluice/config/defaults.yaml");

    private ChartDefaults() {}

    /** The terms of several operators of which one acts. */
    public static OperatorOptions.LeaderElection leaderElection() {
        return OperatorOptions.of(
                        new DefaultConfiguration(new FlinkConfiguration(entries())),
                        Settings.from(Map.of("SLUICE_LEADER_ELECTION", "sluice-operator")))
                .leaderElection();
    }

    private static Map<String, String> entries() {
        try {
            return new YAMLMapper()
                    .readValue(FILE.toFile(), new TypeReference<Map<String, String>>() {});
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
