// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.status.FlinkDeploymentStatus;

/**
 * A FlinkDeployment as it travels: spec and status are kept as raw JSON, so that a field this
 * version does not know, or one of the wrong type, is neither lost nor able to stop the others from
 * being read. {@link FlinkDeploymentSpec#parse} and {@link FlinkDeploymentStatus#of} give the typed
 * views.
 */
@Group(ApiVersion.GROUP)
@Version(ApiVersion.VERSION)
@Kind("FlinkDeployment")
@Plural("flinkdeployments")
@Singular("flinkdeployment")
@ShortNames("flinkdep")
public final class FlinkDeployment extends RawResource {}
