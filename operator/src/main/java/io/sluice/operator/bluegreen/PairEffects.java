// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.bluegreen.StartOverrides;
import io.sluice.operator.act.JobManagerEffects;
import io.sluice.operator.act.SnapshotCreation;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.bluegreen.decide.PairAction;
import io.sluice.operator.bluegreen.decide.PairObservedState;
import io.sluice.operator.child.ApiServerMessage;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.child.DeleteByUid;
import io.sluice.operator.child.RefusedWrites;
import io.sluice.operator.ingress.PairIngress;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.RejectedManifests;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The effects on a real cluster.
 *
 * @param sizes reads what the autoscaler asks of a half
 * @param rejected remembers which half the API server refused
 */
record PairEffects(
        KubernetesClient client,
        JobManagerEffects jobManagers,
        SnapshotCreation snapshots,
        PairIngress ingress,
        HalfSize sizes,
        RejectedManifests rejected,
        BiConsumer<FlinkBlueGreenDeployment, List<ResourceEvent>> eventSink) {

    void perform(FlinkBlueGreenDeployment pair, PairObservedState observed, PairAction action) {
        switch (action) {
            case PairAction.CreateHalf create -> create(pair, observed, create);
            case PairAction.ApplyHalf apply -> apply(pair, observed, apply);
            case PairAction.DeleteHalf(var color, var uid) ->
                    new DeleteByUid(client)
                            .delete(
                                    FlinkDeployment.class,
                                    new ObjectMetaBuilder()
                                            .withNamespace(pair.getMetadata().getNamespace())
                                            .withName(color.nameIn(pair.getMetadata().getName()))
                                            .build(),
                                    uid,
                                    DeletionPropagation.BACKGROUND.toString());
            case PairAction.TriggerSavepoint(var color, var jobId, var request) ->
                    observed.half(color)
                            .half()
                            .flatMap(Half::jobManager)
                            .ifPresent(
                                    at ->
                                            jobManagers.perform(
                                                    at,
                                                    pair.getMetadata().getUid(),
                                                    new Action.TriggerSavepoint(jobId, request)));
            case PairAction.RegisterSavepoint(var creation) -> snapshots.create(pair, creation);
            case PairAction.LeadTo(var color) ->
                    ingress.leadTo(pair, observed.wish().spec(), color)
                            .ifPresent(
                                    why ->
                                            eventSink.accept(
                                                    pair,
                                                    List.of(
                                                            ResourceEvent.of(
                                                                    "Operator",
                                                                    OperatorEvent
                                                                            .INGRESS_MANAGEMENT,
                                                                    why,
                                                                    why))));
        }
    }

    /** One of the name that is there already is looked at by the next reconciliation. */
    private void create(
            FlinkBlueGreenDeployment pair,
            PairObservedState observed,
            PairAction.CreateHalf action) {
        String uid = pair.getMetadata().getUid();
        Map<String, String> start =
                StartOverrides.annotations(sizes.of(observed, action.color().other()));
        try {
            client.resource(HalfManifest.of(pair, action.color(), action.plan(), start)).create();
            rejected.forget(uid);
        } catch (KubernetesClientException fault) {
            if (RefusedWrites.isRefusal(fault)) {
                rejected.remember(uid, action.plan().mark(), ApiServerMessage.of(fault));
            } else if (fault.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw fault;
            }
        }
    }

    /**
     * One that was changed since is looked at by the next reconciliation. That is also so if
     * another process has acted on it while this one stood still: its mark is another one then.
     */
    private void apply(
            FlinkBlueGreenDeployment pair,
            PairObservedState observed,
            PairAction.ApplyHalf action) {
        ObjectMeta metadata = pair.getMetadata();
        var named =
                client.resources(FlinkDeployment.class)
                        .inNamespace(metadata.getNamespace())
                        .withName(action.color().nameIn(metadata.getName()));
        Optional<FlinkDeployment> found =
                Optional.ofNullable(named.get())
                        .filter(it -> it.getMetadata().getUid().equals(action.uid()))
                        .filter(it -> !mark(it).equals(Optional.of(action.plan().mark())))
                        .filter(
                                it ->
                                        mark(it).equals(
                                                        observed.half(action.color())
                                                                .half()
                                                                .flatMap(Half::mark)));
        if (found.isEmpty()) {
            return;
        }
        try {
            var _ =
                    named.patch(
                            new PatchContext.Builder()
                                    .withPatchType(PatchType.JSON)
                                    .withFieldManager(ChildObjects.FIELD_MANAGER)
                                    .build(),
                            HalfManifest.patch(found.get(), action.color(), action.plan()));
        } catch (KubernetesClientException fault) {
            if (RefusedWrites.isRefusal(fault)) {
                tellRefusal(pair, action, ApiServerMessage.of(fault));
            } else if (!DeleteByUid.isGone(fault)) {
                throw fault;
            }
        }
    }

    /** The change is tried again with each look, and told once. */
    private void tellRefusal(
            FlinkBlueGreenDeployment pair, PairAction.ApplyHalf action, String why) {
        String message =
                "FlinkDeployment '"
                        + action.color().nameIn(pair.getMetadata().getName())
                        + "' can't be changed: "
                        + why;
        eventSink.accept(
                pair, List.of(ResourceEvent.of("Operator", OperatorEvent.ERROR, message, message)));
    }

    private static Optional<String> mark(FlinkDeployment half) {
        return Optional.ofNullable(half.getMetadata().getAnnotations())
                .flatMap(all -> Optional.ofNullable(all.get(HalfReader.MARK)));
    }
}
