// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import java.time.Duration;
import java.time.InstantSource;

/** A job as its JobManager tells of it; or that there is none. */
final class VirtualJob {
    /** A session cluster's. */
    static final VirtualJob NONE = new VirtualJob("0", Duration.ZERO);

    private final String id;
    private final long started;
    private volatile String state = "RUNNING";
    private volatile long changed;

    /**
     * @param age for how long it has run
     */
    VirtualJob(String id, Duration age) {
        this(id, InstantSource.system().instant().minus(age).toEpochMilli());
    }

    private VirtualJob(String id, long started) {
        this.id = id;
        this.started = started;
        changed = started;
    }

    /** Another that began at the same time, and has not changed since. */
    VirtualJob alike() {
        return new VirtualJob(id, started);
    }

    String id() {
        return id;
    }

    void end(String how) {
        changed = InstantSource.system().millis();
        state = how;
    }

    String overview() {
        if (this == NONE) {
            return "{\"jobs\":[]}";
        }
        boolean runs = state.equals("RUNNING");
        return """
                {"jobs":[{"jid":"%s","name":"orders","start-time":%d,"end-time":%d,"duration":1000,"state":"%s",\
                "last-modification":%d,"tasks":{"running":%d,"canceling":0,"canceled":0,"total":8,"created":0,\
                "scheduled":0,"deploying":0,"reconciling":0,"finished":%d,"initializing":0,"failed":0},\
                "pending-operators":0}]}"""
                .formatted(
                        id,
                        started,
                        runs ? -1 : changed,
                        state,
                        changed,
                        runs ? 8 : 0,
                        runs ? 0 : 8);
    }

    String savepoint() {
        return """
                {"status":{"id":"COMPLETED"},"operation":{"location":"%s"}}"""
                .formatted(path());
    }

    String checkpoints() {
        return """
                {"counts":{"restored":0,"total":1,"in_progress":0,"completed":1,"failed":0},"latest":{"completed":\
                {"id":1,"status":"COMPLETED","is_savepoint":false,"trigger_timestamp":%d,"external_path":"%s",\
                "discarded":false},"savepoint":null,"failed":null,"restored":null},"history":[]}"""
                .formatted(started, "s3://checkpoints/orders/" + id + "/chk-1");
    }

    private String path() {
        return "s3://savepoints/orders/savepoint-" + id.substring(0, 6) + "-000000000001";
    }
}
