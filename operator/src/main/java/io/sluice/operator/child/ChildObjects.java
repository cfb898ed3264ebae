// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Writes objects that belong to a resource. An object is created first: the API server refuses that
 * while one of the name stands. That one is changed only if an owner reference of it has the uid of
 * the resource, or if it is an orphan: an operator wrote it for a FlinkDeployment, it belongs to
 * nobody, as a deletion with propagation {@code Orphan} leaves it, and no other cluster of the name
 * stands that could use it. Nobody may have changed it since it was looked at, and the process must
 * still lead by then. Of an object that was written before, the uid is remembered, so that a later
 * change takes one request.
 *
 * <pre>
 *   written before ─▶ patch, if it has that uid ─▶ done
 *        │ no                  │ refused
 *        ▼                     ▼
 *      create ─────────────────┴─▶ done
 *        │ name taken
 *        ▼
 *       read ─▶ belongs to the resource, or is an orphan ─▶ patch, if it is as it was read ─▶ done
 *                └▶ does not ─▶ NameTakenException
 * </pre>
 *
 * Server-side apply would not do: it changes an object of the name whoever's that is, and can't be
 * told to create only.
 */
public final class ChildObjects {
    public static final String FIELD_MANAGER = "sluice-operator";
    private static final int UNPROCESSABLE = 422;
    private static final PatchContext PATCH =
            new PatchContext.Builder()
                    .withPatchType(PatchType.JSON)
                    .withFieldManager(FIELD_MANAGER)
                    .build();

    private final KubernetesClient client;
    private final Supplier<ExecutorService> threads;
    private final Runnable leading;
    private final WrittenObjects written = new WrittenObjects();

    public ChildObjects(KubernetesClient client) {
        this(client, Executors::newVirtualThreadPerTaskExecutor, () -> {});
    }

    /**
     * @param threads in which objects are written at the same time; each is closed after its use
     * @param leading throws if this process may not act any more; asked once an object has been
     *     read that is to be changed
     */
    public ChildObjects(
            KubernetesClient client, Supplier<ExecutorService> threads, Runnable leading) {
        this.client = client;
        this.threads = threads;
        this.leading = leading;
    }

    /**
     * Sees to it that all of {@code wanted} are there. They are written at the same time: none
     * needs another, and an API server that is slow is waited for once.
     *
     * @param wanted see {@link #put}
     * @throws NameTakenException if a name is somebody else's
     * @throws KubernetesClientException if one can't be written; the others were tried all the same
     */
    public void putAll(List<HasMetadata> wanted) {
        List<Future<?>> writes;
        try (ExecutorService beside = threads.get()) {
            writes = wanted.stream().<Future<?>>map(one -> beside.submit(() -> put(one))).toList();
        }
        writes.forEach(RequestResult::of);
    }

    /**
     * Sees to it that {@code wanted} is there.
     *
     * @param wanted has one owner reference, which is to the resource
     * @throws NameTakenException if the name is somebody else's
     * @throws KubernetesClientException if the API server refuses it, or an object of the name is
     *     about to go
     */
    public void put(HasMetadata wanted) {
        HasMetadata stored =
                written.version(wanted)
                        .flatMap(before -> patched(wanted, before))
                        .or(() -> create(wanted))
                        .orElseGet(() -> change(existing(wanted), wanted));
        written.remember(wanted, stored);
    }

    /**
     * Creates {@code wanted}, unless an object of its name is there, whoever's that is.
     *
     * @return whether it was created
     * @throws KubernetesClientException if the API server refuses it
     */
    public boolean createIfMissing(HasMetadata wanted) {
        Optional<HasMetadata> stored = create(wanted);
        stored.ifPresent(it -> written.remember(wanted, it));
        return stored.isPresent();
    }

    /** Creates {@code wanted}; empty if an object of the name is there. */
    private Optional<HasMetadata> create(HasMetadata wanted) {
        String path =
                ObjectPath.ofAll(wanted.getClass(), wanted.getMetadata().getNamespace())
                        + "?fieldManager="
                        + FIELD_MANAGER;
        try {
            return Optional.of(read(client.raw(path, "POST", wanted), wanted.getClass()));
        } catch (KubernetesClientException fault) {
            if (fault.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return Optional.empty();
            }
            throw fault;
        }
    }

    private HasMetadata read(String answer, Class<? extends HasMetadata> kind) {
        return client.getKubernetesSerialization().unmarshal(answer, kind);
    }

    /**
     * Makes an object of the resource what is wanted of it. A process that has stood still reads
     * what the next leader has written, and must not write over it.
     *
     * @throws KubernetesClientException if it was changed since it was read (409)
     */
    private HasMetadata change(HasMetadata found, HasMetadata wanted) {
        leading.run();
        return patch(wanted, ChildPatch.ofFound(found, wanted, FIELD_MANAGER));
    }

    /**
     * Makes the object that was written before what is wanted now. Empty if it is gone, or was
     * changed since: a request that comes late must not undo what another process has written.
     */
    private Optional<HasMetadata> patched(HasMetadata wanted, WrittenObjects.Version before) {
        try {
            return Optional.of(patch(wanted, ChildPatch.ofVersion(before, wanted)));
        } catch (KubernetesClientException fault) {
            if (!DeleteByUid.isGone(fault) && fault.getCode() != UNPROCESSABLE) {
                throw fault;
            }
            return Optional.empty();
        }
    }

    private HasMetadata patch(HasMetadata wanted, String operations) {
        return client.resource(wanted).patch(PATCH, operations);
    }

    private HasMetadata existing(HasMetadata wanted) {
        HasMetadata found =
                Optional.ofNullable(client.resource(wanted).get())
                        .orElseThrow(() -> tryAgain(wanted, "has just gone"));
        OwnerReference owner = wanted.getMetadata().getOwnerReferences().getFirst();
        if (isOwned(found, owner.getUid()) || isOrphan(found, owner)) {
            if (found.getMetadata().getDeletionTimestamp() != null) {
                throw tryAgain(wanted, "is being deleted");
            }
            return found;
        }
        if (isLeftOver(found, owner)) {
            throw tryAgain(wanted, "is left of a former cluster and goes with it");
        }
        throw NameTakenException.of(found);
    }

    private static KubernetesClientException tryAgain(HasMetadata of, String why) {
        return new KubernetesClientException(
                "%s '%s' %s; trying again"
                        .formatted(of.getKind(), of.getMetadata().getName(), why));
    }

    /** Whether an object says that it belongs to the resource of that uid. */
    public static boolean isOwned(HasMetadata found, String uid) {
        return found.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getUid().equals(uid));
    }

    /**
     * Whether an operator wrote it for a cluster that is gone, and it was left to nobody. The
     * halves of a pair that are left to nobody are FlinkDeployments with jobs of their own.
     */
    private boolean isOrphan(HasMetadata found, OwnerReference resource) {
        return resource.getKind().equals("FlinkDeployment")
                && found.getMetadata().getOwnerReferences().isEmpty()
                && found.getMetadata().getManagedFields().stream()
                        .anyMatch(entry -> FIELD_MANAGER.equals(entry.getManager()))
                && deployment(found, resource.getName())
                        .filter(standing -> !isOwned(standing, resource.getUid()))
                        .isEmpty();
    }

    /**
     * Whether all its owners were of the resource's name and are gone: Kubernetes' garbage
     * collector is about to delete it.
     */
    private boolean isLeftOver(HasMetadata found, OwnerReference resource) {
        List<OwnerReference> owners = found.getMetadata().getOwnerReferences();
        return !owners.isEmpty()
                && owners.stream()
                        .allMatch(
                                owner ->
                                        owner.getName().equals(resource.getName())
                                                && isGone(owner, resource, found));
    }

    private boolean isGone(OwnerReference owner, OwnerReference resource, HasMetadata owned) {
        return switch (owner.getKind()) {
            case "FlinkDeployment" -> owner.getApiVersion().equals(resource.getApiVersion());
            case "Deployment" ->
                    deployment(owned, owner.getName())
                            .filter(
                                    standing ->
                                            Objects.equals(
                                                    standing.getMetadata().getUid(),
                                                    owner.getUid()))
                            .isEmpty();
            default -> false;
        };
    }

    private Optional<Deployment> deployment(HasMetadata beside, String name) {
        return Optional.ofNullable(
                client.apps()
                        .deployments()
                        .inNamespace(beside.getMetadata().getNamespace())
                        .withName(name)
                        .get());
    }
}
