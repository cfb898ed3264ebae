// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.manifest.ClusterPlan;
import io.sluice.operator.manifest.ManifestRenderer;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The effects on a real cluster. */
public final class KubernetesEffects implements Effects {
    public static final String FIELD_MANAGER = "sluice-operator";
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesEffects.class);
    private static final int UNPROCESSABLE = 422;

    private final KubernetesClient client;
    private final JobManagerRest rest;
    private final Function<FlinkDeployment, URI> address;
    private final Refusals refusals;

    public KubernetesEffects(
            KubernetesClient client,
            JobManagerRest rest,
            Function<FlinkDeployment, URI> address,
            Refusals refusals) {
        this.client = client;
        this.rest = rest;
        this.address = address;
        this.refusals = refusals;
    }

    @Override
    public void perform(FlinkDeployment resource, Action action) {
        switch (action) {
            case Action.CreateCluster(var plan) -> create(plan);
            case Action.DeleteCluster(var uid) -> delete(resource, uid);
            case Action.ScaleInPlace(var jobId, var bounds) ->
                    LOG.atDebug()
                            .addKeyValue(
                                    "reply",
                                    rest.changeResourceRequirements(
                                            address.apply(resource), jobId, bounds))
                            .log("asked for new parallelism");
            case Action.ReleaseResource() -> release(resource);
        }
    }

    private void create(ClusterPlan plan) {
        List<HasMetadata> manifests;
        try {
            manifests = ManifestRenderer.render(plan);
        } catch (IllegalArgumentException
                | org.apache.flink.configuration.IllegalConfigurationException refused) {
            refusals.remember(plan.uid(), plan.jobId(), String.valueOf(refused.getMessage()));
            return;
        }
        try {
            Deployment deployment = createOnce((Deployment) manifests.getFirst());
            manifests.stream().skip(1).forEach(manifest -> apply(ownedBy(deployment, manifest)));
            refusals.forget(plan.uid());
        } catch (KubernetesClientException fault) {
            if (!isRefusal(fault)) {
                throw fault;
            }
            refusals.remember(plan.uid(), plan.jobId(), String.valueOf(fault.getMessage()));
        }
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
            Deployment standing = client.resource(deployment).get();
            if (standing == null || !sameAttempt(standing, deployment)) {
                throw new KubernetesClientException(
                        "another Deployment stands in the way; trying again");
            }
            return standing;
        }
    }

    private static boolean sameAttempt(Deployment one, Deployment other) {
        return attempt(one).equals(attempt(other));
    }

    private static String attempt(Deployment deployment) {
        return String.valueOf(
                deployment.getMetadata().getAnnotations().get(ManifestRenderer.ATTEMPT_ANNOTATION));
    }

    private void apply(HasMetadata manifest) {
        client.resource(manifest)
                .patch(
                        new PatchContext.Builder()
                                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                                .withFieldManager(FIELD_MANAGER)
                                .withForce(true)
                                .build());
    }

    private static HasMetadata ownedBy(Deployment deployment, HasMetadata manifest) {
        manifest.getMetadata()
                .setOwnerReferences(
                        List.of(
                                new OwnerReferenceBuilder()
                                        .withApiVersion("apps/v1")
                                        .withKind("Deployment")
                                        .withName(deployment.getMetadata().getName())
                                        .withUid(deployment.getMetadata().getUid())
                                        .withController(true)
                                        .withBlockOwnerDeletion(true)
                                        .build()));
        return manifest;
    }

    /**
     * Deletes the Deployment that was observed and no other: a newer one of the same name has
     * another uid.
     */
    private void delete(FlinkDeployment resource, String uid) {
        var metadata = resource.getMetadata();
        DeleteOptions options =
                new DeleteOptionsBuilder()
                        .withApiVersion("v1")
                        .withKind("DeleteOptions")
                        .withPropagationPolicy("Foreground")
                        .withNewPreconditions()
                        .withUid(uid)
                        .endPreconditions()
                        .build();
        try {
            client.raw(
                    "/apis/apps/v1/namespaces/"
                            + metadata.getNamespace()
                            + "/deployments/"
                            + metadata.getName(),
                    "DELETE",
                    options);
        } catch (KubernetesClientException fault) {
            boolean goneAlready =
                    fault.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                            || fault.getCode() == HttpURLConnection.HTTP_CONFLICT;
            if (!goneAlready) {
                throw fault;
            }
        }
    }

    /**
     * What Flink leaves behind on purpose, its high-availability ConfigMaps, goes with the
     * resource.
     */
    private void release(FlinkDeployment resource) {
        var metadata = resource.getMetadata();
        String name = metadata.getName();
        List<ConfigMap> left =
                client
                        .configMaps()
                        .inNamespace(metadata.getNamespace())
                        .withLabels(Map.of("app", name, "type", "flink-native-kubernetes"))
                        .list()
                        .getItems()
                        .stream()
                        .filter(map -> map.getMetadata().getName().startsWith(name + "-"))
                        .filter(map -> map.getMetadata().getName().endsWith("-config-map"))
                        .toList();
        left.forEach(map -> client.resource(map).delete());
        refusals.forget(metadata.getUid());
    }

    /** A "no" that the user can do something about, as opposed to a fault that passes. */
    private static boolean isRefusal(KubernetesClientException fault) {
        return fault.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                || fault.getCode() == HttpURLConnection.HTTP_BAD_REQUEST
                || fault.getCode() == UNPROCESSABLE;
    }
}
