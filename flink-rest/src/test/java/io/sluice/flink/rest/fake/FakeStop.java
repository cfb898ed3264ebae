// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.fake;

import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import java.util.Optional;

/** A stop or savepoint that a {@link FakeJob} was asked for, and what came of it. */
final class FakeStop {
    private static final int DIGITS = 6;

    private final String triggerId;
    private final Optional<String> folder;
    private volatile SavepointStatus status = new SavepointStatus.InProgress();

    private FakeStop(String triggerId, Optional<String> folder) {
        this.triggerId = triggerId;
        this.folder = folder;
    }

    static FakeStop of(StopRequest request) {
        return new FakeStop(request.triggerId(), request.folder());
    }

    static FakeStop of(SavepointRequest request) {
        return new FakeStop(request.triggerId(), request.folder());
    }

    static FakeStop failed(String why) {
        FakeStop stop = new FakeStop("", Optional.empty());
        stop.fail(why);
        return stop;
    }

    SavepointStatus status() {
        return status;
    }

    void fail(String why) {
        status = new SavepointStatus.Failed(why, Optional.empty());
    }

    /** Returns where the savepoint is, named as Flink does. */
    String complete(String jobId) {
        String path =
                "%s/savepoint-%s-%s"
                        .formatted(
                                folder.orElse("file:/savepoints"),
                                jobId.substring(0, DIGITS),
                                triggerId);
        status = new SavepointStatus.Completed(path);
        return path;
    }
}
