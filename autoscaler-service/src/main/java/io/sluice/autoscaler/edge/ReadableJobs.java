// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.edge;

import io.sluice.autoscaler.collect.JobKind;
import io.sluice.process.access.Access;
import io.sluice.process.access.Caller;
import io.sluice.process.access.Permission;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which jobs one caller may be told of: those whose FlinkDeployments and FlinkSessionJobs they may
 * read. Whoever may list a kind in all namespaces is not asked about each.
 */
final class ReadableJobs {
    private final Access access;
    private final Caller caller;
    private final Map<JobKind, Boolean> everywhere = new EnumMap<>(JobKind.class);

    ReadableJobs(Access access, Caller caller) {
        this.access = access;
        this.caller = caller;
    }

    /**
     * @param kind as resources name it; of an unknown one nobody is told
     */
    boolean mayList(String kind, String namespace) {
        return kind(kind)
                .filter(
                        each ->
                                everywhere.computeIfAbsent(each, it -> mayListIn(it, ""))
                                        || mayListIn(each, namespace))
                .isPresent();
    }

    boolean mayGet(String kind, String namespace, String name) {
        return kind(kind)
                .filter(each -> access.allows(caller, get(each, namespace, name)))
                .isPresent();
    }

    /** Refuses those who may read neither kind of this name, whether there is one or not. */
    void requireAny(String namespace, String name) {
        boolean any =
                Arrays.stream(JobKind.values())
                        .anyMatch(kind -> access.allows(caller, get(kind, namespace, name)));
        if (!any) {
            access.require(caller, get(JobKind.FLINK_DEPLOYMENT, namespace, name));
        }
    }

    private boolean mayListIn(JobKind kind, String namespace) {
        return access.allows(
                caller, new Permission.Resources("list", resource(kind), namespace, ""));
    }

    private static Permission get(JobKind kind, String namespace, String name) {
        return new Permission.Resources("get", resource(kind), namespace, name);
    }

    private static String resource(JobKind kind) {
        return switch (kind) {
            case FLINK_DEPLOYMENT -> "flinkdeployments";
            case FLINK_SESSION_JOB -> "flinksessionjobs";
            case JOB -> "jobs";
        };
    }

    private static Optional<JobKind> kind(String wire) {
        return Arrays.stream(JobKind.values()).filter(kind -> kind.wire().equals(wire)).findFirst();
    }
}
