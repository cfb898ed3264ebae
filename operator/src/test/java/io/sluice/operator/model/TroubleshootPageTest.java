// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/troubleshoot.md says of the reasons, compared with the reasons there are. */
class TroubleshootPageTest {
    @Test
    void eachReasonIsExplainedWithItsOutlook() throws IOException {
        Map<String, String> explained =
                TroubleshootPage.read().entrySet().stream()
                        .collect(
                                Collectors.toMap(
                                        Map.Entry::getKey, entry -> entry.getValue().outlook()));

        assertThat(explained).containsExactlyInAnyOrderEntriesOf(reasons());
    }

    private static Map<String, String> reasons() {
        return Arrays.stream(Reason.values())
                .collect(
                        Collectors.toMap(
                                Reason::wire, reason -> TroubleshootPage.words(reason.outlook())));
    }
}
