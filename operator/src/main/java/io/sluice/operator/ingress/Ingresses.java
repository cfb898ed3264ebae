// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.ingress;

import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.Parsed;
import io.sluice.operator.deployment.Children;
import io.sluice.operator.deployment.FlinkDeploymentReconciler.Passes;
import io.sluice.operator.deployment.KubernetesEffects;
import io.sluice.operator.deployment.Narrator;
import io.sluice.operator.deployment.Note;
import io.sluice.operator.deployment.ResourcePass.Outcome;
import io.sluice.operator.deployment.StatusStore;
import io.sluice.operator.manifest.IngressRenderer;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The step after a pass: the Ingress follows the spec as it is now, whatever the cluster is doing.
 * It decides nothing about the job, so that an edit of it restarts nothing.
 *
 * @param clusters passes over the cluster first
 */
public record Ingresses(
        KubernetesClient client,
        Supplier<DefaultConfiguration> defaults,
        Narrator narrator,
        Passes clusters)
        implements Passes {
    /** Whether the operator minds Ingresses at all; read at its start. */
    public static final String MANAGE = "kubernetes.operator.ingress.manage";

    private static final int REST_PORT = 8081;
    private static final int UNPROCESSABLE = 422;

    /** As the operator's configuration says. */
    public static boolean areManaged(DefaultConfiguration defaults) {
        return new Options(defaults.base()).flag(MANAGE, true);
    }

    @Override
    public Outcome run(FlinkDeployment resource, Children children, StatusStore store) {
        Outcome outcome = clusters.run(resource, children, store);
        if (resource.getMetadata().getDeletionTimestamp() != null) {
            return outcome;
        }
        Parsed<FlinkDeploymentSpec> spec = FlinkDeploymentSpec.parse(resource.getSpec(), "spec");
        boolean isReadable =
                spec.problems().stream()
                        .noneMatch(problem -> problem.path().startsWith("spec.ingress"));
        if (!isReadable) {
            return outcome;
        }
        if (areManaged(defaults.get())) {
            follow(resource, spec.value(), children.ingress(), outcome);
        } else if (spec.value().ingress().isPresent() && outcome.wroteStatus()) {
            tell(
                    resource,
                    "IngressManagement",
                    "spec.ingress has no effect: the operator's configuration has "
                            + MANAGE
                            + ": false; remove spec.ingress or ask for true there");
        }
        return outcome;
    }

    private void follow(
            FlinkDeployment resource,
            FlinkDeploymentSpec spec,
            Optional<Ingress> found,
            Outcome outcome) {
        var subject =
                new IngressRenderer.Subject(
                        resource.getMetadata().getNamespace(),
                        resource.getMetadata().getName(),
                        resource.getMetadata().getUid());
        Optional<Ingress> wanted =
                spec.ingress()
                        .flatMap(
                                ingress ->
                                        IngressRenderer.render(
                                                subject, ingress, restPort(subject, spec)));
        switch (certain(IngressPlan.of(wanted, found, subject.uid()), subject)) {
            case IngressPlan.Nothing() -> {}
            case IngressPlan.Apply(var ingress) -> apply(resource, ingress);
            case IngressPlan.Remove(var uid) -> remove(subject, uid);
            case IngressPlan.Occupied() -> {
                if (outcome.wroteStatus()) {
                    tell(
                            resource,
                            "IngressManagement",
                            "spec.ingress has no effect: an Ingress '"
                                    + subject.name()
                                    + "' exists that was not made for this resource; delete or"
                                    + " rename it");
                }
            }
        }
    }

    /** The cache holds labelled Ingresses only; before one is written the API server is asked. */
    private IngressPlan certain(IngressPlan plan, IngressRenderer.Subject subject) {
        boolean isOccupied =
                plan instanceof IngressPlan.Apply
                        && standing(subject)
                                .filter(found -> !IngressPlan.isOwned(found, subject.uid()))
                                .isPresent();
        return isOccupied ? new IngressPlan.Occupied() : plan;
    }

    private Optional<Ingress> standing(IngressRenderer.Subject subject) {
        return Optional.ofNullable(
                client.network()
                        .v1()
                        .ingresses()
                        .inNamespace(subject.namespace())
                        .withName(subject.name())
                        .get());
    }

    private int restPort(IngressRenderer.Subject subject, FlinkDeploymentSpec spec) {
        return new Options(
                        defaults.get()
                                .effective(
                                        subject.namespace(),
                                        spec.flinkVersion(),
                                        spec.flinkConfiguration()))
                .number("rest.port", REST_PORT);
    }

    private void apply(FlinkDeployment resource, Ingress wanted) {
        try {
            client.resource(wanted)
                    .patch(
                            new PatchContext.Builder()
                                    .withPatchType(PatchType.SERVER_SIDE_APPLY)
                                    .withFieldManager(KubernetesEffects.FIELD_MANAGER)
                                    .withForce(true)
                                    .build());
        } catch (KubernetesClientException fault) {
            boolean isRefusal =
                    fault.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                            || fault.getCode() == HttpURLConnection.HTTP_BAD_REQUEST
                            || fault.getCode() == UNPROCESSABLE;
            if (!isRefusal) {
                throw fault;
            }
            tell(
                    resource,
                    "IngressManagement",
                    "The Ingress of spec.ingress is refused: " + fault.getMessage());
        }
    }

    private void remove(IngressRenderer.Subject subject, String uid) {
        standing(subject)
                .filter(found -> found.getMetadata().getUid().equals(uid))
                .ifPresent(found -> client.resource(found).delete());
    }

    private void tell(FlinkDeployment resource, String reason, String message) {
        narrator.tell(
                resource,
                List.of(
                        new Note(
                                Note.Kind.WARNING,
                                "Operator",
                                reason,
                                message,
                                message,
                                Map.of())));
    }
}
