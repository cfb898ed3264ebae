// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.FlinkStateSnapshot;
import io.sluice.testkit.apiserver.CallFault;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstalledCrdsTest {
    /** Without the right, or the CRD, of a chart that is older than the operator. */
    @ParameterizedTest
    @CsvSource({
        "200,, true",
        "403,, false",
        "404,, false",
        "500,, true",
        "403, team-a, true",
        "404, team-a, false"
    })
    void watchesAKindThatIsInstalledAndThatRightsForAllNamespacesCover(
            int code, String namespace, boolean isWatchable) {
        InMemoryApiServer server = InMemoryApiServer.live();
        if (code != 200) {
            server.faults(_ -> new CallFault.Answer(code));
        }

        assertThat(
                        new InstalledCrds(server.client())
                                .isWatchable(
                                        FlinkStateSnapshot.class, Optional.ofNullable(namespace)))
                .isEqualTo(isWatchable);
    }
}
