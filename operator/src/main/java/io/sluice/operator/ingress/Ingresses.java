// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.ingress;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.json.FieldProblem;
import io.sluice.api.json.Parsed;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.manifest.GatewayRef;
import io.sluice.manifest.IngressSpecView;
import io.sluice.operator.child.ApiServerMessage;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.child.DeleteByUid;
import io.sluice.operator.child.NameTakenException;
import io.sluice.operator.child.RefusedWrites;
import io.sluice.operator.config.Settings;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.reconcile.EventSink;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.ProcessOptions;
import io.sluice.rules.pattern.Placeholders;
import io.sluice.rules.tenancy.Grant;
import io.sluice.rules.tenancy.Request;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the Ingress, or the HTTPRoute, follow the spec after each reconciliation, whatever the
 * cluster is doing. It decides nothing about the job, so that an edit of it restarts nothing.
 *
 * @param children writes them
 * @param gateway where HTTPRoutes go; empty for Ingresses
 * @param clusters reconciles the cluster first
 */
public record Ingresses(
        KubernetesClient client,
        ChildObjects children,
        Supplier<DefaultConfiguration> defaults,
        Optional<GatewayRef> gateway,
        EventSink eventSink,
        ResourceReconciler<FlinkDeployment, ChildResources> clusters)
        implements ResourceReconciler<FlinkDeployment, ChildResources> {
    private static final Logger LOG = LoggerFactory.getLogger(Ingresses.class);
    private static final String MANAGE = ProcessOptions.INGRESS_MANAGE.key();
    private static final String GATEWAY = ProcessOptions.INGRESS_GATEWAY.key();

    public Ingresses(
            KubernetesClient client,
            Supplier<DefaultConfiguration> defaults,
            Optional<GatewayRef> gateway,
            EventSink eventSink,
            ResourceReconciler<FlinkDeployment, ChildResources> clusters) {
        this(client, new ChildObjects(client), defaults, gateway, eventSink, clusters);
    }

    /**
     * What is made of {@code spec.ingress}, read at the operator's start; empty for nothing.
     *
     * @throws Settings.Unusable if the Gateway can't be read
     */
    public static Optional<Class<? extends HasMetadata>> kind(DefaultConfiguration defaults) {
        return Optional.<Class<? extends HasMetadata>>of(kind(gateway(defaults)))
                .filter(_ -> areManaged(defaults));
    }

    /**
     * The Gateway of the operator's configuration.
     *
     * @throws Settings.Unusable if it can't be read
     */
    public static Optional<GatewayRef> gateway(DefaultConfiguration defaults) {
        return new Options(defaults.own())
                .get(ProcessOptions.INGRESS_GATEWAY)
                .map(
                        text ->
                                GatewayRef.parse(text)
                                        .orElseThrow(
                                                () ->
                                                        new Settings.Unusable(
                                                                GATEWAY
                                                                        + ": '"
                                                                        + text
                                                                        + "' is not a Gateway;"
                                                                        + " write namespace/name or"
                                                                        + " namespace/name#listener")));
    }

    static boolean areManaged(DefaultConfiguration defaults) {
        return new Options(defaults.own()).get(ProcessOptions.INGRESS_MANAGE);
    }

    @Override
    public Outcome reconcile(
            FlinkDeployment resource,
            ChildResources childResources,
            StatusStore<FlinkDeployment> store) {
        Outcome outcome = clusters.reconcile(resource, childResources, store);
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
            List<FieldProblem> objections =
                    objections(
                            defaults.get(),
                            resource.getMetadata().getNamespace(),
                            resource.getMetadata().getName(),
                            spec.value());
            if (objections.isEmpty()) {
                follow(resource, spec.value(), childResources.ingress(), outcome);
            } else if (outcome.wroteStatus()) {
                tell(resource, refusal(objections));
            }
        } else if (spec.value().ingress().isPresent() && outcome.wroteStatus()) {
            tell(
                    resource,
                    "spec.ingress has no effect: the operator's configuration has "
                            + MANAGE
                            + ": false; remove spec.ingress or ask for true there");
        }
        return outcome;
    }

    /**
     * What the platform team does not let this resource have. Admission refuses it, unless it was
     * stored before; then nothing is made, and what stands is left alone.
     */
    static List<FieldProblem> objections(
            DefaultConfiguration defaults,
            String namespace,
            String name,
            FlinkDeploymentSpec spec) {
        var names = new Placeholders(namespace, name);
        var granted = new Options(defaults.granted(namespace, spec.flinkVersion()));
        return Grant.OF_INGRESSES.stream()
                .flatMap(
                        grant ->
                                grant
                                        .objections(new Request(spec, Map.of(), names), granted)
                                        .stream())
                .toList();
    }

    static String refusal(List<FieldProblem> objections) {
        return objections.stream()
                .map(each -> each.path() + ": '" + each.value() + "' " + each.message())
                .collect(Collectors.joining("; ", "spec.ingress has no effect as it is now: ", ""));
    }

    private void follow(
            FlinkDeployment resource,
            FlinkDeploymentSpec spec,
            Optional<HasMetadata> found,
            Outcome outcome) {
        var subject =
                new IngressSpecView.Subject(
                        resource.getMetadata().getNamespace(),
                        resource.getMetadata().getName(),
                        resource.getMetadata().getUid());
        Optional<HasMetadata> wanted =
                spec.ingress()
                        .flatMap(ingress -> IngressSpecView.of(subject, ingress))
                        .map(view -> view.manifest(gateway, restPort(subject, spec)));
        switch (IngressPlan.of(wanted, found, subject.uid())) {
            case IngressPlan.Nothing() -> {}
            case IngressPlan.Apply(var ingress) -> {
                removeFormer(subject);
                write(resource, ingress, outcome);
            }
            case IngressPlan.Remove(var uid) ->
                    new DeleteByUid(client)
                            .delete(
                                    kind(),
                                    new ObjectMetaBuilder()
                                            .withNamespace(subject.namespace())
                                            .withName(subject.name())
                                            .build(),
                                    uid,
                                    DeletionPropagation.BACKGROUND.toString());
            case IngressPlan.Occupied() -> tellOccupied(resource, outcome);
        }
    }

    private void tellOccupied(FlinkDeployment resource, Outcome outcome) {
        if (outcome.wroteStatus()) {
            tell(
                    resource,
                    "spec.ingress has no effect: an "
                            + kind().getSimpleName()
                            + " '"
                            + resource.getMetadata().getName()
                            + "' exists that was not made for this resource; delete or rename it");
        }
    }

    private Class<? extends HasMetadata> kind() {
        return kind(gateway);
    }

    static Class<? extends HasMetadata> kind(Optional<GatewayRef> gateway) {
        return gateway.isPresent() ? HTTPRoute.class : Ingress.class;
    }

    private Optional<HasMetadata> standing(
            Class<? extends HasMetadata> kind, IngressSpecView.Subject subject) {
        return Optional.ofNullable(
                client.resources(kind)
                        .inNamespace(subject.namespace())
                        .withName(subject.name())
                        .get());
    }

    /** The Ingress that stood there before routes were asked for. */
    private void removeFormer(IngressSpecView.Subject subject) {
        gateway.flatMap(_ -> standing(Ingress.class, subject))
                .filter(found -> ChildObjects.isOwned(found, subject.uid()))
                .ifPresent(new DeleteByUid(client)::delete);
    }

    private int restPort(IngressSpecView.Subject subject, FlinkDeploymentSpec spec) {
        return new Options(
                        defaults.get()
                                .effective(
                                        subject.namespace(),
                                        spec.flinkVersion(),
                                        spec.flinkConfiguration()))
                .get(FlinkOptions.REST_PORT);
    }

    /** The cache holds labelled ones only: one without a label turns up when it is written. */
    private void write(FlinkDeployment resource, HasMetadata wanted, Outcome outcome) {
        try {
            children.put(wanted);
        } catch (NameTakenException taken) {
            LOG.atDebug().setCause(taken).log("not written");
            tellOccupied(resource, outcome);
        } catch (KubernetesClientException fault) {
            if (!RefusedWrites.isRefusal(fault)) {
                throw fault;
            }
            tell(
                    resource,
                    "The "
                            + kind().getSimpleName()
                            + " of spec.ingress is refused: "
                            + ApiServerMessage.of(fault));
        }
    }

    private void tell(FlinkDeployment resource, String message) {
        eventSink.tell(
                resource,
                List.of(
                        ResourceEvent.of(
                                "Operator", OperatorEvent.INGRESS_MANAGEMENT, message, message)));
    }
}
