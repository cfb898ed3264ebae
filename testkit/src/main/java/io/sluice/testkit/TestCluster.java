// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * An API server that a test runs on, the real one or the one in memory: what a suite of tests that
 * both pass has to know of it.
 */
public interface TestCluster {
    /** An administrator's client. */
    KubernetesClient client();

    /** A namespace nothing else uses. */
    String newNamespace();

    /** Delivers what watches have to tell, where that does not happen by itself. */
    void deliver();
}
