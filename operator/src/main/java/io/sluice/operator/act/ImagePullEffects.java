// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.manifest.ImagePullPod;
import io.sluice.operator.child.DeleteByUid;
import io.sluice.operator.model.Action;
import io.sluice.operator.observe.pod.ImagePullMemory;
import java.net.HttpURLConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and deletes the pods that pull images. Whatever goes wrong is remembered as "no answer",
 * so that the change goes on without one.
 */
final class ImagePullEffects {
    private static final Logger LOG = LoggerFactory.getLogger(ImagePullEffects.class);

    private final KubernetesClient client;
    private final ImagePullMemory memory;

    ImagePullEffects(KubernetesClient client, ImagePullMemory memory) {
        this.client = client;
        this.memory = memory;
    }

    /** A cache that is late asks for a pod that exists. */
    void create(Action.PullImages wanted) {
        String uid = wanted.plan().uid();
        try {
            client.resource(ImagePullPod.render(wanted.plan(), wanted.name())).create();
            memory.created(uid, wanted.name());
        } catch (KubernetesClientException fault) {
            if (fault.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                giveUp(wanted, fault);
            }
        } catch (RuntimeException unrendered) {
            giveUp(wanted, unrendered);
        }
    }

    private void giveUp(Action.PullImages wanted, RuntimeException fault) {
        LOG.atWarn()
                .addKeyValue("pod", wanted.name())
                .setCause(fault)
                .log("no pod can be created to pull the image; the change goes on without it");
        memory.giveUp(wanted.plan().uid(), wanted.name());
    }

    /**
     * @param resource metadata of the FlinkDeployment
     */
    void delete(ObjectMeta resource, Action.DeletePullPod unneeded) {
        new DeleteByUid(client)
                .deleteAtOnce(Pod.class, resource.getNamespace(), unneeded.name(), unneeded.uid());
    }
}
