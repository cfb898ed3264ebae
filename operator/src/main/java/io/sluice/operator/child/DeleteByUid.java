// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.Predicate;

/** Deletes the object that was seen: a later one of the same name has another uid and stays. */
public record DeleteByUid(KubernetesClient client) {
    /**
     * Deletes in the background what was read. Does nothing if it is gone.
     *
     * @throws KubernetesClientException if the API server refuses, or nobody answers
     */
    public void delete(HasMetadata found) {
        delete(
                ObjectPath.of(found),
                found.getMetadata().getUid(),
                DeletionPropagation.BACKGROUND.toString());
    }

    /**
     * Deletes what was read, so that nothing has its name any more.
     *
     * @throws KubernetesClientException as {@link #delete(HasMetadata)}, and if another object has
     *     the name by now (409), which has to be looked at first
     */
    public void freeName(HasMetadata found) {
        delete(
                ObjectPath.of(found),
                options(found.getMetadata().getUid(), DeletionPropagation.BACKGROUND.toString())
                        .build(),
                DeleteByUid::isNotFound);
    }

    /**
     * Deletes the object of that kind and uid. Does nothing if it is gone.
     *
     * @param metadata names the object
     * @param propagation of a Kubernetes deletion, as {@code Foreground}
     */
    public void delete(
            Class<? extends HasMetadata> kind,
            ObjectMeta metadata,
            String uid,
            String propagation) {
        delete(ObjectPath.of(kind, metadata), uid, propagation);
    }

    /**
     * Deletes the object of that kind and uid, without waiting for whoever runs it to confirm that
     * it has ended. Does nothing if it is gone.
     */
    public void deleteAtOnce(
            Class<? extends HasMetadata> kind, String namespace, String name, String uid) {
        ObjectMeta metadata =
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build();
        delete(
                ObjectPath.of(kind, metadata),
                options(uid, DeletionPropagation.BACKGROUND.toString())
                        .withGracePeriodSeconds(0L)
                        .build(),
                DeleteByUid::isGone);
    }

    private void delete(String path, String uid, String propagation) {
        delete(path, options(uid, propagation).build(), DeleteByUid::isGone);
    }

    private static DeleteOptionsBuilder options(String uid, String propagation) {
        return new DeleteOptionsBuilder()
                .withApiVersion("v1")
                .withKind("DeleteOptions")
                .withPropagationPolicy(propagation)
                .withNewPreconditions()
                .withUid(uid)
                .endPreconditions();
    }

    private void delete(
            String path, DeleteOptions options, Predicate<KubernetesClientException> isDone) {
        try {
            client.raw(path, "DELETE", options);
        } catch (KubernetesClientException fault) {
            if (!isDone.test(fault)) {
                throw fault;
            }
        }
    }

    /**
     * Whether the API server says that the object of the uid that a request names is gone. There
     * may be another one of its name.
     */
    public static boolean isGone(KubernetesClientException fault) {
        return isNotFound(fault) || fault.getCode() == HttpURLConnection.HTTP_CONFLICT;
    }

    /**
     * Whether the API server says that the object does not exist. A proxy, or an API server that
     * does not serve the kind for a moment, may answer with 404 as well; its answer has no {@code
     * metav1.Status} with the reason {@code NotFound}.
     */
    public static boolean isNotFound(KubernetesClientException fault) {
        return fault.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                && Optional.ofNullable(fault.getStatus())
                        .map(Status::getReason)
                        .filter("NotFound"::equals)
                        .isPresent();
    }
}
