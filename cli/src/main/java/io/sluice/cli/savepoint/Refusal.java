// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.cluster.Unanswered;
import java.net.HttpURLConnection;
import java.util.Optional;

/** Why a FlinkStateSnapshot was not created, and what to do. Pure. */
final class Refusal {
    private static final String CRD = ResourceKind.FLINK_STATE_SNAPSHOT.crd();

    private Refusal() {}

    /**
     * @param server the address of the API server
     * @param name of the snapshot
     */
    static String text(
            KubernetesClientException failed, Object server, String namespace, String name) {
        Optional<Status> status = Optional.ofNullable(failed.getStatus());
        String message =
                status.map(Status::getMessage)
                        .or(() -> Optional.ofNullable(failed.getMessage()))
                        .orElse("");
        return switch (failed.getCode()) {
            case HttpURLConnection.HTTP_UNAUTHORIZED -> Unanswered.text(server, failed);
            case HttpURLConnection.HTTP_NOT_FOUND -> notFound(status, namespace);
            case HttpURLConnection.HTTP_CONFLICT ->
                    "FlinkStateSnapshot '"
                            + name
                            + "' exists already, as it was asked for in the same second; run the"
                            + " command again";
            case HttpURLConnection.HTTP_FORBIDDEN ->
                    isOfRights(message)
                            ? "you have no right to create "
                                    + CRD
                                    + " in namespace '"
                                    + namespace
                                    + "'; ask for it, for example for the ClusterRole edit"
                            : refused(message);
            default -> {
                if (failed.getCode() <= 0) {
                    yield Unanswered.text(server, failed) + look(namespace, name);
                }
                yield failed.getCode() < HttpURLConnection.HTTP_INTERNAL_ERROR
                        ? refused(message)
                        : "the API server answered "
                                + failed.getCode()
                                + ": "
                                + message
                                + look(namespace, name);
            }
        };
    }

    private static String refused(String message) {
        return "the API server refuses it: " + message;
    }

    private static String notFound(Optional<Status> status, String namespace) {
        boolean isNamespace =
                status.map(Status::getDetails)
                        .map(StatusDetails::getKind)
                        .filter("namespaces"::equals)
                        .isPresent();
        return isNamespace
                ? "-n: there is no namespace '" + namespace + "'; name another"
                : "the cluster has no "
                        + CRD
                        + "; install this CRD from the chart, or change"
                        + " spec.job.savepointTriggerNonce of the job, which needs none";
    }

    /** Quotas and admission plugins answer with the same code. */
    private static boolean isOfRights(String message) {
        return message.contains("cannot create resource");
    }

    private static String look(String namespace, String name) {
        return "; whether it was created shows kubectl get flinksnp/" + name + " -n " + namespace;
    }
}
