// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.ingress;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.FlinkBlueGreenDeploymentSpec;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.manifest.GatewayRef;
import io.sluice.manifest.IngressSpecView;
import io.sluice.operator.child.ApiServerMessage;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.child.DeleteByUid;
import io.sluice.operator.child.NameTakenException;
import io.sluice.operator.child.RefusedWrites;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The one Ingress or HTTPRoute of a blue/green pair, which leads to the JobManager of one half.
 *
 * @param children writes it
 * @param gateway where HTTPRoutes go; empty for Ingresses
 */
public record PairIngress(
        KubernetesClient client,
        ChildObjects children,
        Supplier<DefaultConfiguration> defaults,
        Optional<GatewayRef> gateway) {

    /** The halves that it would have to be changed to lead to. */
    public Set<HalfColor> misled(FlinkBlueGreenDeployment pair, FlinkBlueGreenDeploymentSpec spec) {
        if (!Ingresses.areManaged(defaults.get())) {
            return Set.of();
        }
        Optional<HasMetadata> found = standing(pair.getMetadata());
        return Stream.of(HalfColor.values())
                .filter(color -> isChange(plan(pair, spec, color, found)))
                .collect(Collectors.toSet());
    }

    /**
     * Leads it to a half, or removes it if there is to be none.
     *
     * @return why it could not be; empty if it could
     */
    public Optional<String> leadTo(
            FlinkBlueGreenDeployment pair, FlinkBlueGreenDeploymentSpec spec, HalfColor color) {
        return switch (plan(pair, spec, color, standing(pair.getMetadata()))) {
            case IngressPlan.Nothing() -> Optional.empty();
            case IngressPlan.Apply(var wanted) -> write(wanted);
            case IngressPlan.Remove(var uid) -> {
                new DeleteByUid(client)
                        .delete(Ingresses.kind(gateway), pair.getMetadata(), uid, "Background");
                yield Optional.empty();
            }
            case IngressPlan.Occupied() -> Optional.of(occupied(pair.getMetadata()));
        };
    }

    /** One of that name of somebody else is left alone, and nothing waits for it. */
    private static boolean isChange(IngressPlan plan) {
        return switch (plan) {
            case IngressPlan.Apply _, IngressPlan.Remove _ -> true;
            case IngressPlan.Nothing _, IngressPlan.Occupied _ -> false;
        };
    }

    private IngressPlan plan(
            FlinkBlueGreenDeployment pair,
            FlinkBlueGreenDeploymentSpec spec,
            HalfColor color,
            Optional<HasMetadata> found) {
        ObjectMeta metadata = pair.getMetadata();
        FlinkDeploymentSpec half = spec.template().spec().withIngress(spec.ingress());
        List<FieldProblem> objections =
                Ingresses.objections(
                        defaults.get(), metadata.getNamespace(), metadata.getName(), half);
        if (!objections.isEmpty()) {
            return new IngressPlan.Nothing();
        }
        var subject =
                new IngressSpecView.Subject(
                        pair.getKind(),
                        metadata.getNamespace(),
                        metadata.getName(),
                        metadata.getUid(),
                        color.nameIn(metadata.getName()));
        Optional<HasMetadata> wanted =
                spec.ingress()
                        .flatMap(ingress -> IngressSpecView.of(subject, ingress))
                        .map(view -> view.manifest(gateway, restPort(metadata, half)));
        return IngressPlan.of(wanted, found, metadata.getUid());
    }

    private int restPort(ObjectMeta metadata, FlinkDeploymentSpec half) {
        return new Options(
                        defaults.get()
                                .effective(
                                        metadata.getNamespace(),
                                        half.flinkVersion(),
                                        half.flinkConfiguration()))
                .restPort();
    }

    private Optional<HasMetadata> standing(ObjectMeta metadata) {
        return Optional.ofNullable(
                client.resources(Ingresses.kind(gateway))
                        .inNamespace(metadata.getNamespace())
                        .withName(metadata.getName())
                        .get());
    }

    private Optional<String> write(HasMetadata wanted) {
        try {
            children.put(wanted);
            return Optional.empty();
        } catch (NameTakenException taken) {
            return Optional.of(occupied(wanted.getMetadata()));
        } catch (KubernetesClientException fault) {
            if (!RefusedWrites.isRefusal(fault)) {
                throw fault;
            }
            return Optional.of(
                    "The "
                            + wanted.getKind()
                            + " of spec.ingress is refused: "
                            + ApiServerMessage.of(fault));
        }
    }

    private String occupied(ObjectMeta metadata) {
        return "spec.ingress has no effect: an "
                + Ingresses.kind(gateway).getSimpleName()
                + " '"
                + metadata.getName()
                + "' exists that was not made for this resource; delete or rename it";
    }
}
