// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.Plugins;
import io.sluice.process.ProcessName;
import io.sluice.process.Variable;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {
    @Test
    void takesWhatTheReferenceSaysOfVariablesThatAreNotSet() {
        Map<String, String> usual = new HashMap<>();
        for (Variable variable : Variable.values()) {
            if (variable.readers().contains(ProcessName.OPERATOR)) {
                variable.usual().ifPresent(value -> usual.put(variable.wire(), value));
            }
        }

        assertThat(Settings.from(usual)).isEqualTo(Settings.from(Map.of()));
        assertThat(Variable.PLUGIN_DIR.usual()).contains(Plugins.DEFAULT_FOLDER.toString());
    }
}
