// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A job on a session cluster. Raw JSON like {@link FlinkDeployment}; {@link
 * FlinkSessionJobSpec#parse} and {@link FlinkSessionJobStatus#of} give the typed views.
 */
@Group(FlinkDeployment.GROUP)
@Version(FlinkDeployment.VERSION)
@Kind("FlinkSessionJob")
@Plural("flinksessionjobs")
@Singular("flinksessionjob")
@ShortNames("sessionjob")
public final class FlinkSessionJob extends RawResource {}
