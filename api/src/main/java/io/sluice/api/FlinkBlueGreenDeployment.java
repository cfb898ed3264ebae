// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;

/**
 * Two FlinkDeployments that take turns. Raw JSON like {@link FlinkDeployment}; {@link
 * FlinkBlueGreenDeploymentSpec#parse} and {@link FlinkBlueGreenDeploymentStatus#of} give the typed
 * views.
 */
@Group(ApiVersion.GROUP)
@Version(ApiVersion.VERSION)
@Kind("FlinkBlueGreenDeployment")
@Plural("flinkbluegreendeployments")
@Singular("flinkbluegreendeployment")
@ShortNames("flinkbgdep")
public final class FlinkBlueGreenDeployment extends RawResource {
    /** The annotation by which somebody approves of a transition: its generation. */
    public static final String PROMOTE = "sluice.io/promote";
}
