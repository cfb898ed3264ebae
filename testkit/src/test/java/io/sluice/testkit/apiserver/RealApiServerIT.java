// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import io.sluice.testkit.ApiServer;
import io.sluice.testkit.TestCluster;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The suite on a real kube-apiserver, which shows that the suite is right. */
class RealApiServerIT
        implements ChangeContract,
                CreationContract,
                DeletionContract,
                ListContract,
                PatchContract,
                WatchContract {
    @RegisterExtension static final ApiServer API = new ApiServer();

    @Override
    public TestCluster cluster() {
        return API;
    }
}
