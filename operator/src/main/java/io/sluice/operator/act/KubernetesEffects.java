// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.manifest.ClusterPlan;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.child.ApiServerMessage;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.child.ConfirmedVersions;
import io.sluice.operator.child.DeleteByUid;
import io.sluice.operator.child.NameTakenException;
import io.sluice.operator.child.RefusedWrites;
import io.sluice.operator.model.Action;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.JobManagerScaleDown;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.RejectedManifests;
import io.sluice.operator.observe.StateReader;
import io.sluice.operator.reconcile.Freshness;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The effects on a real cluster. */
public final class KubernetesEffects implements Effects {
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesEffects.class);
    private static final int UNPROCESSABLE = 422;

    private final KubernetesClient client;
    private final ChildObjects children;
    private final DeleteByUid deletion;
    private final JobManagerEffects jobs;
    private final MissingObjectCreation missing;
    private final SnapshotCreation snapshots;
    private final ImagePullEffects imagePulls;
    private final Function<FlinkDeployment, URI> address;
    private final RejectedManifests rejectedManifests;
    private final ObservationMemory memory;

    public KubernetesEffects(
            KubernetesClient client,
            JobManagerRest rest,
            Function<FlinkDeployment, URI> address,
            RejectedManifests rejectedManifests,
            ObservationMemory memory) {
        this(client, rest, address, rejectedManifests, memory, new ChildObjects(client));
    }

    /**
     * @param children writes what belongs to a resource
     */
    public KubernetesEffects(
            KubernetesClient client,
            JobManagerRest rest,
            Function<FlinkDeployment, URI> address,
            RejectedManifests rejectedManifests,
            ObservationMemory memory,
            ChildObjects children) {
        this.client = client;
        this.children = children;
        this.deletion = new DeleteByUid(client);
        this.jobs = new JobManagerEffects(rest, memory);
        this.missing = new MissingObjectCreation(client, children);
        this.snapshots = new SnapshotCreation(client, memory.refusedSnapshots());
        this.imagePulls = new ImagePullEffects(client, memory.imagePulls());
        this.address = address;
        this.rejectedManifests = rejectedManifests;
        this.memory = memory;
    }

    @Override
    public void perform(FlinkDeployment resource, Action action) {
        switch (action) {
            case Action.CreateCluster(var plan) -> create(resource, plan);
            case Action.DeleteCluster(var uid, var propagation) ->
                    delete(resource, uid, propagation.wire());
            case Action.StopJobManager(var uid) -> stopJobManager(resource, uid);
            case Action.DeleteTaskManagers(var uid, var propagation) ->
                    deleteTaskManagers(resource, uid, propagation.wire());
            case Action.OfJob asked ->
                    jobs.perform(address.apply(resource), resource.getMetadata().getUid(), asked);
            case Action.ProvideTaskManagers(var plan) -> provide(plan);
            case Action.ProvideServices(var plan) -> missing.provideServices(plan);
            case Action.ProvideConfiguration(var plan) -> provideConfiguration(resource, plan);
            case Action.CreateSnapshot creation -> snapshots.create(resource, creation);
            case Action.PullImages wanted -> imagePulls.create(wanted);
            case Action.DeletePullPod unneeded ->
                    imagePulls.delete(resource.getMetadata(), unneeded);
            case Action.ReleaseResource() -> release(resource, _ -> true);
            case Action.ReleaseUnbegun(var jobId) ->
                    release(resource, map -> jobId.isPresent() && isOf(jobId, resource, map));
            case Action.UploadJar _, Action.RunJar _, Action.DeleteJar _ ->
                    throw new IllegalArgumentException("only a session job has a jar to hand over");
        }
    }

    private void create(FlinkDeployment resource, ClusterPlan plan) {
        List<HasMetadata> manifests;
        try {
            manifests = ManifestRenderer.render(plan);
        } catch (RuntimeException unrendered) {
            rejectedManifests.remember(plan.uid(), plan.attempt(), why(unrendered));
            return;
        }
        create(resource, plan, manifests);
    }

    /**
     * A reconciliation that stood still since it stored the resource, while another operator took
     * over, must not bring a former attempt back, nor start this one again after it has run. A
     * moment after the resource was stored nobody else can have taken over.
     */
    private boolean isSuperseded(FlinkDeployment resource, ClusterPlan plan) {
        ConfirmedVersions confirmed = memory.confirmedVersions();
        long asked = confirmed.asking();
        boolean isLatest = confirmed.isConfirmed(resource.getMetadata());
        if (!isLatest && Freshness.isLatest(client, resource)) {
            confirmed.confirmed(resource.getMetadata(), asked);
            isLatest = true;
        }
        if (!isLatest) {
            LOG.atDebug().addKeyValue("attempt", plan.attempt()).log("superseded; not created");
        }
        return !isLatest;
    }

    private void create(FlinkDeployment resource, ClusterPlan plan, List<HasMetadata> manifests) {
        try {
            HighAvailabilityMetadata left = HighAvailabilityMetadata.of(client, plan);
            if (isSuperseded(resource, plan)) {
                return;
            }
            Deployment wanted = (Deployment) manifests.getFirst();
            List<HasMetadata> others =
                    manifests.stream().filter(it -> !(it instanceof Deployment)).toList();
            Optional<String> objection = makeRoom(wanted, left);
            if (objection.isPresent()) {
                rejectedManifests.remember(plan.uid(), plan.attempt(), objection.get());
                return;
            }
            StandaloneTaskManagers.requireTheirName(client, manifests);
            children.putAll(
                    others.stream().map(manifest -> ownedBy(ownerOf(wanted), manifest)).toList());
            if (isSuperseded(resource, plan)) {
                return; // what is needed beside the Deployment took its time
            }
            Deployment standing = createOnce(wanted);
            StandaloneTaskManagers.provide(client, manifests, reference(standing));
            rejectedManifests.forget(plan.uid());
        } catch (NameTakenException taken) {
            rejectedManifests.remember(
                    plan.uid(), plan.attempt(), String.valueOf(taken.getMessage()));
        } catch (KubernetesClientException fault) {
            remember(plan, fault);
        }
    }

    private void remember(ClusterPlan plan, KubernetesClientException fault) {
        if (!RefusedWrites.isRefusal(fault)) {
            throw fault;
        }
        rejectedManifests.remember(plan.uid(), plan.attempt(), ApiServerMessage.of(fault));
    }

    /**
     * Rendering asks nobody: whatever stops it is in the spec, and stays there until it is edited.
     */
    private static String why(RuntimeException unrendered) {
        LOG.atWarn().setCause(unrendered).log("the manifests can't be rendered");
        return Optional.ofNullable(unrendered.getMessage())
                .filter(message -> !(unrendered instanceof NullPointerException))
                .orElse("something that it needs is missing, most likely in a podTemplate");
    }

    /**
     * Creates TaskManagers only beside the JobManager of the same attempt: nothing would remove
     * them without it.
     */
    private void provide(ClusterPlan plan) {
        List<HasMetadata> manifests = ManifestRenderer.render(plan);
        Deployment wanted = (Deployment) manifests.getFirst();
        Optional.ofNullable(client.resource(wanted).get())
                .filter(found -> found.getMetadata().getDeletionTimestamp() == null)
                .filter(found -> !JobManagerScaleDown.isMarked(found))
                .filter(found -> sameAttempt(found, wanted) || isTakenOver(found, plan))
                .ifPresent(found -> provide(plan, manifests, reference(found)));
    }

    private void provide(ClusterPlan plan, List<HasMetadata> manifests, OwnerReference jobManager) {
        try {
            StandaloneTaskManagers.provide(client, manifests, jobManager);
            rejectedManifests.forget(plan.uid());
        } catch (NameTakenException taken) {
            rejectedManifests.remember(
                    plan.uid(), plan.attempt(), String.valueOf(taken.getMessage()));
        } catch (KubernetesClientException fault) {
            remember(plan, fault);
        }
    }

    private void provideConfiguration(FlinkDeployment resource, ClusterPlan plan) {
        if (missing.lacksConfiguration(plan) && !isSuperseded(resource, plan)) {
            missing.createConfiguration(plan);
        }
    }

    /** One that another operator made for the resource names no attempt. */
    private static boolean isTakenOver(Deployment found, ClusterPlan plan) {
        return attempt(found).isEmpty()
                && found.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> owner.getUid().equals(plan.uid()));
    }

    /**
     * A Deployment is only ever created, never changed: while one stands, whoever's it is, the API
     * server refuses a second. That, and no cache, is what keeps two jobs from running.
     */
    private Deployment createOnce(Deployment deployment) {
        try {
            return client.resource(deployment).create();
        } catch (KubernetesClientException conflict) {
            if (conflict.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw conflict;
            }
            return existing(deployment).orElseThrow(() -> conflict);
        }
    }

    /** The Deployment of this very attempt, if it is there; another one is in the way. */
    private Optional<Deployment> existing(Deployment wanted) {
        Optional<Deployment> found = Optional.ofNullable(client.resource(wanted).get());
        if (found.isPresent() && !sameAttempt(found.get(), wanted)) {
            if (!ChildResources.isFlinks(found.get())) {
                throw NameTakenException.jobManager(wanted.getMetadata().getName());
            }
            throw new KubernetesClientException(
                    "another Deployment stands in the way; trying again");
        }
        return found;
    }

    /**
     * @return why the attempt can't begin
     */
    private Optional<String> makeRoom(Deployment wanted, HighAvailabilityMetadata recovery) {
        return !recovery.isNeeded() || existing(wanted).isPresent()
                ? Optional.empty()
                : recovery.prepare();
    }

    private static boolean sameAttempt(Deployment one, Deployment other) {
        return attempt(one).equals(attempt(other));
    }

    private static String attempt(Deployment deployment) {
        return Optional.ofNullable(deployment.getMetadata().getAnnotations())
                .flatMap(all -> Optional.ofNullable(all.get(ManifestRenderer.ATTEMPT_ANNOTATION)))
                .orElse("");
    }

    private static HasMetadata ownedBy(OwnerReference owner, HasMetadata manifest) {
        manifest.getMetadata().setOwnerReferences(List.of(owner));
        return manifest;
    }

    /**
     * What a Deployment needs is there before it and belongs, as it does, to the resource itself: a
     * crash between the two leaves no Deployment without its configuration, and the next attempt
     * finds it and changes it.
     */
    private static OwnerReference ownerOf(Deployment deployment) {
        return deployment.getMetadata().getOwnerReferences().getFirst();
    }

    private static OwnerReference reference(Deployment deployment) {
        return new OwnerReferenceBuilder()
                .withApiVersion("apps/v1")
                .withKind("Deployment")
                .withName(deployment.getMetadata().getName())
                .withUid(deployment.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    /**
     * Deletes the Deployment that was observed and no other: a newer one of the same name has
     * another uid.
     */
    private void delete(FlinkDeployment resource, String uid, String propagation) {
        if (!Freshness.isLatest(client, resource)) {
            LOG.atDebug().addKeyValue("uid", uid).log("superseded; not deleted");
            return;
        }
        var metadata = resource.getMetadata();
        StandaloneTaskManagers.removeStrays(
                client, metadata.getNamespace(), metadata.getName(), uid);
        deletion.delete(Deployment.class, metadata, uid, propagation);
    }

    /** Marks the Deployment that was observed, and no other, and scales it to zero. */
    private void stopJobManager(FlinkDeployment resource, String uid) {
        if (!Freshness.isLatest(client, resource)) {
            LOG.atDebug().addKeyValue("uid", uid).log("superseded; not scaled to zero");
            return;
        }
        var metadata = resource.getMetadata();
        try {
            client.apps()
                    .deployments()
                    .inNamespace(metadata.getNamespace())
                    .withName(metadata.getName())
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            Serialization.asJson(JobManagerScaleDown.patch(uid)));
        } catch (KubernetesClientException fault) {
            if (!DeleteByUid.isGone(fault) && !namesAnotherUid(fault)) {
                throw fault;
            }
        }
    }

    /** A patch that names another uid than the object has would change what can't be changed. */
    private static boolean namesAnotherUid(KubernetesClientException fault) {
        return fault.getCode() == UNPROCESSABLE
                && Optional.ofNullable(fault.getStatus())
                        .flatMap(status -> Optional.ofNullable(status.getDetails()))
                        .stream()
                        .flatMap(details -> details.getCauses().stream())
                        .anyMatch(cause -> "metadata.uid".equals(cause.getField()));
    }

    /** A JobManager that was made meanwhile keeps them: it takes them along when it goes. */
    private void deleteTaskManagers(FlinkDeployment resource, String uid, String propagation) {
        if (!Freshness.isLatest(client, resource)) {
            LOG.atDebug().addKeyValue("uid", uid).log("superseded; TaskManagers not deleted");
            return;
        }
        var metadata = resource.getMetadata();
        StandaloneTaskManagers.stray(client, metadata.getNamespace(), metadata.getName())
                .map(HasMetadata::getMetadata)
                .ifPresent(found -> deletion.delete(Deployment.class, found, uid, propagation));
    }

    /**
     * What Flink leaves behind on purpose, its high-availability ConfigMaps, goes with the
     * resource. What was listed while the resource was there belongs to no later one of its name.
     *
     * @param isOwn which of them are the resource's
     */
    private void release(FlinkDeployment resource, Predicate<ConfigMap> isOwn) {
        var metadata = resource.getMetadata();
        List<ConfigMap> left =
                ChildResources.recovery(client, metadata.getNamespace(), metadata.getName());
        if (Freshness.isThere(client, resource)) {
            left.stream().filter(isOwn).forEach(deletion::delete);
        }
        rejectedManifests.forget(metadata.getUid());
        memory.forget(metadata.getUid());
    }

    private static boolean isOf(Optional<String> jobId, FlinkDeployment resource, ConfigMap map) {
        return StateReader.job(resource.getMetadata().getName(), map).equals(jobId);
    }
}
