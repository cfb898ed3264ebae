// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.FlinkSessionJobSpec;
import io.sluice.api.status.FlinkSessionJobStatus;
import io.sluice.api.status.ReconciledSpec;
import java.util.Optional;

/**
 * A job on a session cluster. Raw JSON like {@link FlinkDeployment}; {@link
 * FlinkSessionJobSpec#parse} and {@link FlinkSessionJobStatus#of} give the typed views.
 */
@Group(ApiVersion.GROUP)
@Version(ApiVersion.VERSION)
@Kind("FlinkSessionJob")
@Plural("flinksessionjobs")
@Singular("flinksessionjob")
@ShortNames("sessionjob")
public final class FlinkSessionJob extends RawResource {
    /**
     * The name of the session cluster that the job is on: of the one it was first deployed to, as
     * the spec last taken up says, whatever its spec has been made to name since. Before the first
     * deployment it is the one that the spec names. Reads no more of both than this, as it is asked
     * of each session job of a namespace.
     */
    public Optional<String> cluster() {
        return deployed()
                .flatMap(FlinkSessionJob::named)
                .or(() -> Optional.ofNullable(getSpec()).flatMap(FlinkSessionJob::named));
    }

    private Optional<ObjectNode> deployed() {
        return Optional.ofNullable(getStatus())
                .map(status -> status.path("reconciliationStatus").path("lastReconciledSpec"))
                .filter(JsonNode::isTextual)
                .flatMap(text -> ReconciledSpec.decode(text.textValue()))
                .map(ReconciledSpec::spec);
    }

    private static Optional<String> named(ObjectNode spec) {
        return Optional.of(spec.path("deploymentName"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue);
    }
}
