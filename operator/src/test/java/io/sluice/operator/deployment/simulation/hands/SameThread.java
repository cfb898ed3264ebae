// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.hands;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Requests that production makes at the same time are made one after the other. */
public final class SameThread extends AbstractExecutorService {
    private boolean isShutDown;

    @Override
    public void execute(Runnable command) {
        command.run();
    }

    @Override
    public void shutdown() {
        isShutDown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown();
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return isShutDown;
    }

    @Override
    public boolean isTerminated() {
        return isShutDown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isShutDown;
    }
}
