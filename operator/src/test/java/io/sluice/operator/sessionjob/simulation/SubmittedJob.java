// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A job as its JobManager was asked to run it.
 *
 * @param resource its name
 * @param owner its uid
 * @param generation of the resource that it was made for
 * @param content what tells one spec from another
 * @param path what it begins with; empty for nothing
 * @param options of the cluster, and the job's own on top
 */
record SubmittedJob(
        String id,
        String resource,
        String owner,
        long generation,
        String content,
        Optional<String> path,
        Map<String, String> options) {
    SubmittedJob {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    SubmittedJob ofGeneration(long made) {
        return new SubmittedJob(id, resource, owner, made, content, path, options);
    }

    private Optional<String> option(String key) {
        return Optional.ofNullable(options.get(key));
    }

    boolean hasCheckpoints() {
        return option("execution.checkpointing.interval").isPresent();
    }

    boolean retainsCheckpoints() {
        return option("execution.checkpointing.externalized-checkpoint-retention")
                .filter("RETAIN_ON_CANCELLATION"::equals)
                .isPresent();
    }

    Optional<String> savepointFolder() {
        return option("execution.checkpointing.savepoint-dir");
    }

    @Override
    public String toString() {
        return "job " + id + " of generation " + generation + " of " + resource + " " + content;
    }
}
