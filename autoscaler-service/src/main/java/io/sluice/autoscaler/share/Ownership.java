// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

/** Which jobs this process looks after, when others may look after the same ones. */
public sealed interface Ownership extends AutoCloseable permits Replicas, ClusterLocks {
    /** As it is at this moment. */
    Share share();

    /** Gives up what it owns: the others take over. */
    @Override
    void close();
}
