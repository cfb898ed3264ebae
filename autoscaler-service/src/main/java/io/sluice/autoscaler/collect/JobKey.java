// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.status.bluegreen.PairHalf;
import java.util.Locale;
import java.util.Optional;

/**
 * One job for as long as it exists: another of the same name has another uid.
 *
 * @param namespace of its resource, or the name its Flink cluster is given
 * @param uid of its resource, or Flink's id of the job
 * @param half which half of a blue/green pair its resource is; empty if it is none
 */
public record JobKey(
        JobKind kind, String namespace, String name, String uid, Optional<PairHalf> half) {
    private static final int LONGEST_NAME = 40;
    private static final int ID_DIGITS = 8;

    /** Of what is no half of a pair. */
    public JobKey(JobKind kind, String namespace, String name, String uid) {
        this(kind, namespace, name, uid, Optional.empty());
    }

    /** That of a FlinkDeployment. */
    public JobKey(String namespace, String name, String uid) {
        this(JobKind.FLINK_DEPLOYMENT, namespace, name, uid);
    }

    /**
     * That of a job on a Flink cluster, named after what people call it and, for others may be
     * called so too, the end of its id.
     */
    public static JobKey of(String cluster, String jobName, String jobId) {
        String words = jobName.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String shortened = words.substring(0, Math.min(words.length(), LONGEST_NAME));
        String end = jobId.substring(Math.max(0, jobId.length() - ID_DIGITS));
        String name = (shortened + "-" + end).replaceAll("-{2,}", "-").replaceAll("^-", "");
        return new JobKey(JobKind.JOB, cluster, name, jobId);
    }

    public static JobKey of(HasMetadata resource) {
        var metadata = resource.getMetadata();
        return new JobKey(
                resource instanceof FlinkSessionJob
                        ? JobKind.FLINK_SESSION_JOB
                        : JobKind.FLINK_DEPLOYMENT,
                metadata.getNamespace(),
                metadata.getName(),
                metadata.getUid(),
                resource instanceof FlinkSessionJob ? Optional.empty() : PairHalf.of(resource));
    }

    /** As people write it. */
    public String path() {
        return namespace + "/" + name;
    }
}
