// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A savepoint or checkpoint of a job. Raw JSON like {@link FlinkDeployment}; {@link
 * FlinkStateSnapshotSpec#parse} and {@link FlinkStateSnapshotStatus#of} give the typed views.
 */
@Group(ApiVersion.GROUP)
@Version(ApiVersion.VERSION)
@Kind("FlinkStateSnapshot")
@Plural("flinkstatesnapshots")
@Singular("flinkstatesnapshot")
@ShortNames("flinksnp")
public final class FlinkStateSnapshot extends RawResource {
    /** The label that says whether it is a savepoint or a checkpoint. */
    public static final String TYPE_LABEL = "snapshot.type";

    /** The label that says what made it come about; retention is only of what users do not make. */
    public static final String TRIGGER_TYPE_LABEL = "snapshot.trigger-type";

    /** The label that says how far it is. */
    public static final String STATE_LABEL = "snapshot.state";

    public static final String JOB_KIND_LABEL = "job-reference.kind";

    public static final String JOB_NAME_LABEL = "job-reference.name";

    private static final int LONGEST_LABEL = 63;

    /** The name of a job as a label's value; empty where it is too long for one. */
    public static Optional<String> jobLabel(String name) {
        return Optional.of(name).filter(it -> it.length() <= LONGEST_LABEL);
    }

    /** The labels that name the job of {@code reference}. */
    public static Map<String, String> jobLabels(JobReference reference) {
        Map<String, String> labels = new TreeMap<>();
        reference
                .kind()
                .map(ResourceKind::wire)
                .ifPresent(kind -> labels.put(JOB_KIND_LABEL, kind));
        reference
                .name()
                .flatMap(FlinkStateSnapshot::jobLabel)
                .ifPresent(name -> labels.put(JOB_NAME_LABEL, name));
        return labels;
    }
}
