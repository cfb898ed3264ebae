// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;

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
public final class FlinkStateSnapshot extends RawResource {}
