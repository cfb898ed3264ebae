// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.deployment;

import io.sluice.testkit.ApiServer;
import io.sluice.testkit.TestCluster;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same on a real API server. */
class MeasuredUpgradeIT extends MeasuredUpgradeTest {
    @RegisterExtension static final ApiServer API = new ApiServer();

    @Override
    TestCluster cluster() {
        return API;
    }
}
