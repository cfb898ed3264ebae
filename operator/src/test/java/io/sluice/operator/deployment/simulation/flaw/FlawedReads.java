// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.flaw;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.operator.deployment.simulation.DeploymentFlaws;
import java.util.Set;
import java.util.function.Consumer;

/** What a flawed operator takes the status of a resource to be. */
public final class FlawedReads {
    private static final String LAST_SAVEPOINT = "kubernetes.operator.job.savepoint-on-deletion";

    private FlawedReads() {}

    /** Changes what was read, and not what is stored. */
    public static void of(FlinkDeployment resource, Set<DeploymentFlaws> flaws) {
        boolean isDeleting = resource.getMetadata().getDeletionTimestamp() != null;
        if (isDeleting && flaws.contains(DeploymentFlaws.LAST_SAVEPOINT_SKIPPED)) {
            takenUp(
                    resource,
                    spec -> spec.withObject("/flinkConfiguration").put(LAST_SAVEPOINT, "false"));
        }
        if (flaws.contains(DeploymentFlaws.NONCE_UNREAD)) {
            takenUp(resource, spec -> asWanted(resource, spec, "/job", "savepointTriggerNonce"));
        }
        if (flaws.contains(DeploymentFlaws.VERSION_NOT_NOTICED)) {
            takenUp(resource, spec -> asWanted(resource, spec, "", "flinkVersion"));
        }
        if (flaws.contains(DeploymentFlaws.EXCEPTIONS_NOT_RECORDED)
                && resource.getStatus().has("jobStatus")) {
            ObjectNode read = resource.getStatus().deepCopy();
            read.withObject("/jobStatus").remove("lastExceptionTimestamp");
            resource.setStatus(read);
        }
    }

    private static void asWanted(
            FlinkDeployment resource, ObjectNode spec, String parent, String field) {
        ObjectNode of = parent.isEmpty() ? spec : spec.withObject(parent);
        of.remove(field);
        if (resource.getSpec().at(parent).has(field)) {
            of.set(field, resource.getSpec().at(parent).get(field));
        }
    }

    private static void takenUp(FlinkDeployment resource, Consumer<ObjectNode> change) {
        ObjectNode read = resource.getStatus().deepCopy();
        ReconciledSpec.decode(
                        read.path("reconciliationStatus").path("lastReconciledSpec").asText(""))
                .ifPresent(
                        before -> {
                            change.accept(before.spec());
                            read.withObject("/reconciliationStatus")
                                    .put("lastReconciledSpec", before.encode());
                            resource.setStatus(read);
                        });
    }
}
