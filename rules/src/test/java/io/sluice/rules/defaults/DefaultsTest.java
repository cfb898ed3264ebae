// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefaultsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|{}",
                "{'job':{}}|{'job':{'state':'running','upgradeMode':'stateless'}}",
                "{'job':{'state':null}}|{'job':{'state':'running','upgradeMode':'stateless'}}",
                "{'job':{'upgradeMode':'savepoint'}}|{'job':{'upgradeMode':'savepoint','state':'running'}}",
                "{'job':'wrong'}|{'job':'wrong'}",
            })
    void fillsInWhatIsMissingAndOnce(String spec, String expected) throws Exception {
        var completed = Defaults.apply(json(spec));

        assertThat(completed).isEqualTo(json(expected));
        assertThat(Defaults.apply(completed)).isEqualTo(completed);
    }

    private static ObjectNode json(String text) throws Exception {
        return (ObjectNode) new ObjectMapper().readTree(text.replace('\'', '"'));
    }
}
