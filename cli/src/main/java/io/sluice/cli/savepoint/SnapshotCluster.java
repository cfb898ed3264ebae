// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.cluster.Finding;
import io.sluice.cli.cluster.ResourceReader;
import io.sluice.cli.cluster.Unanswered;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** What the command asks of the API server, in one namespace. */
record SnapshotCluster(KubernetesClient client, String namespace) {
    private static final long PAGE = 500;

    /**
     * Looks for a job.
     *
     * @throws NotCreated if the API server does not answer
     */
    Lookup find(ResourceKind kind, String name) {
        try {
            return switch (new ResourceReader(client, namespace).find(kind, name)) {
                case Finding.Found(var resource) -> lookup(resource);
                case Finding.Absent() -> new Lookup.Absent();
                case Finding.Hidden(var hidden) -> new Lookup.Hidden(hidden);
            };
        } catch (KubernetesClientException failed) {
            throw new NotCreated(Unanswered.text(client.getMasterUrl(), failed));
        }
    }

    /**
     * The jobs of the namespace.
     *
     * @param kinds of the jobs
     * @throws NotCreated if the API server does not answer
     */
    Jobs jobs(List<ResourceKind> kinds) {
        List<String> names = new ArrayList<>();
        int unserved = 0;
        int unlisted = 0;
        for (ResourceKind kind : kinds) {
            try {
                client
                        .resources(RawResource.of(kind).getClass())
                        .inNamespace(namespace)
                        .list(new ListOptionsBuilder().withLimit(PAGE).build())
                        .getItems()
                        .stream()
                        .map(SnapshotCluster::lookup)
                        .filter(Lookup.Found.class::isInstance)
                        .map(each -> ((Lookup.Found) each).job().argument())
                        .forEach(names::add);
            } catch (KubernetesClientException failed) {
                switch (failed.getCode()) {
                    case HttpURLConnection.HTTP_NOT_FOUND -> unserved++;
                    case HttpURLConnection.HTTP_FORBIDDEN -> unlisted++;
                    default -> throw new NotCreated(Unanswered.text(client.getMasterUrl(), failed));
                }
            }
        }
        if (unserved == kinds.size()) {
            return new Jobs.Unserved();
        }
        return unserved + unlisted == kinds.size() ? new Jobs.Unlisted() : new Jobs.Listed(names);
    }

    /**
     * Creates a snapshot.
     *
     * @throws NotCreated if the API server refuses it, or does not answer
     */
    void create(FlinkStateSnapshot snapshot) {
        try {
            client.resource(snapshot).create();
        } catch (KubernetesClientException failed) {
            throw new NotCreated(
                    Refusal.text(
                            failed,
                            client.getMasterUrl(),
                            namespace,
                            snapshot.getMetadata().getName()));
        }
    }

    /**
     * Watches a snapshot until no more comes of it by itself.
     *
     * @param limit for so long at most
     * @param seen is called with each state, by threads of the client, one at a time
     */
    Outcome follow(String name, Duration limit, Consumer<SnapshotView> seen) {
        var last = new AtomicReference<Optional<SnapshotView>>(Optional.empty());
        CompletableFuture<List<FlinkStateSnapshot>> end =
                client.resources(FlinkStateSnapshot.class)
                        .inNamespace(namespace)
                        .withName(name)
                        .informOnCondition(found -> isEnd(found, last, seen));
        try {
            List<FlinkStateSnapshot> found = end.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return found.isEmpty()
                    ? new Outcome.Deleted()
                    : new Outcome.AtRest(SnapshotView.of(found.getFirst()));
        } catch (TimeoutException over) {
            return new Outcome.TimedOut(limit, last.get());
        } catch (ExecutionException failed) {
            return new Outcome.NotFollowed(why(Objects.requireNonNull(failed.getCause())));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Outcome.NotFollowed("the command was interrupted");
        } finally {
            end.cancel(true);
        }
    }

    /** The first list may be older than the creation: then it is empty. */
    private static boolean isEnd(
            List<FlinkStateSnapshot> found,
            AtomicReference<Optional<SnapshotView>> last,
            Consumer<SnapshotView> seen) {
        if (found.isEmpty()) {
            return last.get().isPresent();
        }
        SnapshotView view = SnapshotView.of(found.getFirst());
        last.set(Optional.of(view));
        seen.accept(view);
        return view.isAtRest();
    }

    private String why(Throwable failed) {
        if (!(failed instanceof KubernetesClientException refused)) {
            return "it can't be followed (" + failed + ")";
        }
        return refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                ? "you have no right to list and watch "
                        + ResourceKind.FLINK_STATE_SNAPSHOT.crd()
                        + " in namespace '"
                        + namespace
                        + "'"
                : Unanswered.text(client.getMasterUrl(), refused);
    }

    private static Lookup lookup(RawResource resource) {
        return switch (resource.kind()) {
            case FLINK_SESSION_JOB -> new Lookup.Found(Job.of(resource));
            case FLINK_DEPLOYMENT ->
                    resource.getSpec().path("job").isObject()
                            ? new Lookup.Found(Job.of(resource))
                            : new Lookup.SessionCluster();
            case FLINK_STATE_SNAPSHOT, FLINK_BLUE_GREEN_DEPLOYMENT -> new Lookup.Absent();
        };
    }
}
