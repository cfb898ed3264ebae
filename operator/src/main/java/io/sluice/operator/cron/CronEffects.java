// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.child.ApiServerMessage;
import io.sluice.operator.child.DeleteByUid;
import io.sluice.operator.child.RefusedWrites;
import io.sluice.operator.observe.RejectedManifests;
import java.net.HttpURLConnection;
import java.util.Optional;

/** The effects on a real cluster. */
public final class CronEffects {
    private final KubernetesClient client;
    private final RejectedManifests rejectedManifests;

    public CronEffects(KubernetesClient client, RejectedManifests rejectedManifests) {
        this.client = client;
        this.rejectedManifests = rejectedManifests;
    }

    void perform(FlinkDeployment template, CronAction action) {
        switch (action) {
            case CronAction.CreateRun create -> create(template, create);
            case CronAction.DeleteRun(var name, var uid) ->
                    new DeleteByUid(client)
                            .delete(
                                    FlinkDeployment.class,
                                    new ObjectMetaBuilder()
                                            .withNamespace(template.getMetadata().getNamespace())
                                            .withName(name)
                                            .build(),
                                    uid,
                                    DeletionPropagation.BACKGROUND.toString());
            case CronAction.ReleaseTemplate() ->
                    rejectedManifests.forget(template.getMetadata().getUid());
        }
    }

    private void create(FlinkDeployment template, CronAction.CreateRun action) {
        FlinkDeployment run = CronRun.manifest(template, action.name(), action.fire());
        String uid = template.getMetadata().getUid();
        try {
            client.resource(run).create();
            rejectedManifests.forget(uid);
        } catch (KubernetesClientException fault) {
            if (fault.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                occupied(template, action);
            } else if (RefusedWrites.isRefusal(fault)) {
                rejectedManifests.remember(uid, action.name(), ApiServerMessage.of(fault));
            } else {
                throw fault;
            }
        }
    }

    /** The run itself, made before a crash, is no obstacle; somebody else's resource is. */
    private void occupied(FlinkDeployment template, CronAction.CreateRun action) {
        Optional<FlinkDeployment> found =
                Optional.ofNullable(
                        client.resources(FlinkDeployment.class)
                                .inNamespace(template.getMetadata().getNamespace())
                                .withName(action.name())
                                .get());
        boolean isForeign = found.filter(it -> CronRun.of(it, template).isEmpty()).isPresent();
        if (isForeign) {
            rejectedManifests.remember(
                    template.getMetadata().getUid(),
                    action.name(),
                    "a FlinkDeployment of that name exists that is no run of this one; delete or"
                            + " rename it");
        }
    }
}
