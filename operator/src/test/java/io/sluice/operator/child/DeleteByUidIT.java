// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import io.sluice.testkit.ApiServer;
import io.sluice.testkit.TestCluster;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same on a real API server. */
class DeleteByUidIT extends DeleteByUidTest {
    @RegisterExtension static final ApiServer API = new ApiServer();

    @Override
    TestCluster cluster() {
        return API;
    }
}
