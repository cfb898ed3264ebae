// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.fake;

import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.StopRequest;
import java.util.Optional;

/** A stop that a {@link FakeJob} was asked for, and what came of it. */
final class FakeStop {
    private static final int DIGITS = 6;

    private final StopRequest request;
    private volatile SavepointStatus status = new SavepointStatus.InProgress();

    FakeStop(StopRequest request) {
        this.request = request;
    }

    static FakeStop failed(String why) {
        FakeStop stop =
                new FakeStop(
                        new StopRequest(
                                "",
                                Optional.empty(),
                                StopRequest.SavepointFormat.CANONICAL,
                                false));
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
                                request.folder().orElse("file:/savepoints"),
                                jobId.substring(0, DIGITS),
                                request.triggerId());
        status = new SavepointStatus.Completed(path);
        return path;
    }
}
