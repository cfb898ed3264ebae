// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.testkit.TestCluster;
import io.sluice.testkit.apiserver.ObjectStore.Change;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A Kubernetes API server in memory. It does nothing by itself: what controllers do ({@link
 * #collectGarbage}, {@link #finishNamespaces}) and what watches deliver ({@link #deliver}) happens
 * when it is told. With the same seed, the same clock and the same calls, everything is the same.
 *
 * <pre>
 *   var api = new InMemoryApiServer(seed, clock);
 *   KubernetesClient client = api.client();
 *   api.faults(call -&gt; call.verb().writes() ? new CallFault.ReplyLost() : CallFault.NONE);
 * </pre>
 *
 * <p>It may be called by several threads, one of which it serves at a time.
 */
public final class InMemoryApiServer implements TestCluster {
    /** No name server knows it. */
    private static final String ADDRESS = "http://in-memory.invalid/";

    private static final String VERSION =
            "{\"major\":\"1\",\"minor\":\"34\",\"gitVersion\":\"v1.34.4\"}";

    private final ResourceTypes types = new ResourceTypes();
    private final List<WatchConnection> watches = new ArrayList<>();
    private final ObjectStore store = new ObjectStore(this::changed);
    private final Requests requests = new Requests(types);
    private final Reads reads = new Reads(store);
    private final CallCounts counts = new CallCounts();
    private final Deque<ApiCall> late = new ArrayDeque<>();
    private final List<Admission> admissions = new ArrayList<>();
    private final Endpoints endpoints;
    private final GarbageCollector garbageCollector;
    private final TerminatingNamespaces terminating;
    private final KubernetesClient client;
    private Function<ApiCall, CallFault> faults = _ -> CallFault.NONE;
    private boolean prompt;
    private int namespaces;

    /**
     * @param seed of uids, generated names, and the order of the garbage collector
     * @param clock of all times that are stored
     */
    public InMemoryApiServer(long seed, InstantSource clock) {
        this(seed, clock, Runnable::run);
    }

    private InMemoryApiServer(long seed, InstantSource clock, Executor executor) {
        var identities = new Identities(seed, clock);
        var deletions = new Deletions(store, identities);
        Admission admission = this::review;
        endpoints =
                new Endpoints(
                        reads,
                        new Writes(store, types, identities, admission),
                        deletions,
                        admission);
        garbageCollector = new GarbageCollector(store, deletions, seed);
        terminating = new TerminatingNamespaces(store, types, deletions);
        client = newClient(executor);
    }

    /**
     * One for code that has threads of its own, as a whole operator: it delivers events at once,
     * its client tells them in other threads, and it goes by the time of the machine. Nothing is
     * the same again then.
     */
    public static InMemoryApiServer live() {
        var server = new InMemoryApiServer(1, InstantSource.system(), Thread::startVirtualThread);
        server.deliverAtOnce();
        return server;
    }

    /** Serves one more kind. */
    public synchronized void serve(ResourceType type) {
        types.add(type);
    }

    /**
     * From now on nobody is shown who manages which field of objects of this kind, which takes
     * longer to write and to read than all the rest of many of them. For code that does not ask for
     * it.
     */
    public synchronized void hideManagers(Class<? extends HasMetadata> kind) {
        store.hideManagers(types.of(kind));
    }

    /** From now on this decides what befalls each call; only one can. */
    public synchronized void faults(Function<ApiCall, CallFault> decision) {
        faults = decision;
    }

    /** From now on this has a say too. */
    public synchronized void admit(Admission admission) {
        admissions.add(admission);
    }

    /**
     * Delivers events as soon as there are any, instead of when told. This is for code that waits
     * for them in threads of its own.
     */
    public synchronized void deliverAtOnce() {
        prompt = true;
        deliver();
    }

    /**
     * The client of this server, which need not be closed. It repeats no call by itself. All that
     * it does, it does in the thread that calls it or delivers to it, unless the server is {@link
     * #live}.
     */
    @Override
    public KubernetesClient client() {
        return client;
    }

    /**
     * Another client, to be closed by the caller. It waits for no answer, as each is there at once:
     * a timer for each request, and the exception that ends it, would take longer than the request.
     *
     * @param executor of what the client does on its own, as telling what watches deliver
     */
    public KubernetesClient newClient(Executor executor) {
        Config config =
                new ConfigBuilder(Config.empty())
                        .withMasterUrl(ADDRESS)
                        .withRequestRetryBackoffLimit(0)
                        .withRequestTimeout(0)
                        .withWatchReconnectInterval(1)
                        .build();
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientFactory(new InMemoryHttp.Factory(this))
                .withKubernetesSerialization(StoredObject.MODELS)
                .withTaskExecutor(executor)
                .build();
    }

    /**
     * An object as it is stored now, without {@code managedFields}. This is no call: nothing
     * befalls it, and no client reads JSON for it each time. So it is shared by all who ask, and
     * nobody changes it; only of our own resources everybody has a copy.
     */
    public synchronized <T extends HasMetadata> Optional<T> find(
            Class<T> kind, String namespace, String name) {
        return store.find(types.of(kind), StoredObject.key(Optional.of(namespace), name))
                .map(stored -> stored.model(kind));
    }

    /** All objects of a kind in a namespace, for who reads them as with {@link #find}. */
    public synchronized <T extends HasMetadata> List<T> list(Class<T> kind, String namespace) {
        return store.list(types.of(kind), Optional.of(namespace)).stream()
                .map(stored -> stored.model(kind))
                .toList();
    }

    /**
     * Gives an object another spec, as a user does. Nothing befalls that either.
     *
     * @return the object as it is stored then
     */
    public synchronized <T extends HasMetadata> T edit(Class<T> kind, T object, JsonNode spec) {
        String patch = "[{\"op\":\"add\",\"path\":\"/spec\",\"value\":" + spec + "}]";
        if (!patch(object, "", PatchType.JSON, patch)) {
            throw new IllegalStateException("the API server refuses " + patch);
        }
        return find(kind, object.getMetadata().getNamespace(), object.getMetadata().getName())
                .orElseThrow();
    }

    /**
     * Watches objects for who reads them as with {@link #find}. Nobody breaks it off.
     *
     * @param labels a selector; empty for all
     * @param changed is told an object, and whether it is there
     */
    public synchronized <T extends HasMetadata> WatchConnection watch(
            Class<T> kind, String namespace, String labels, BiConsumer<Boolean, T> changed) {
        var call =
                new ApiCall(
                        ApiCall.Verb.WATCH,
                        types.of(kind),
                        Optional.of(namespace),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of("labelSelector", labels),
                        "",
                        "",
                        "");
        var watch = new WatchConnection(call);
        watch.connect(WatchConnection.reader(kind, changed));
        watches.add(watch);
        watch.start(reads.selected(call));
        return watch;
    }

    /** A namespace that nothing else uses. */
    @Override
    public String newNamespace() {
        String name = "test-" + ++namespaces;
        createNamespace(name);
        return name;
    }

    /** As {@code kubectl create namespace}. */
    public void createNamespace(String name) {
        client().resource(
                        new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .endMetadata()
                                .build())
                .create();
    }

    /** The watches that are open, the oldest first. */
    public synchronized List<WatchConnection> watches() {
        watches.removeIf(WatchConnection::isClosed);
        return List.copyOf(watches);
    }

    /** Delivers all that watches have queued, also what comes of it. */
    @Override
    public synchronized void deliver() {
        boolean again = true;
        while (again) {
            again = false;
            for (WatchConnection watch : watches()) {
                again |= watch.deliver();
            }
        }
    }

    /** Tells each client whose watch has nothing queued which version it has come to. */
    public synchronized void sendBookmarks() {
        watches().forEach(watch -> watch.bookmark(store.version()));
    }

    /**
     * Forgets all changes and all lists that have begun: who goes on from a version before this one
     * is told that it has expired (410).
     */
    public synchronized void compact() {
        store.compact();
        reads.forget();
    }

    /** Does all that there is for Kubernetes' garbage collector to do, in an order of its own. */
    public synchronized void collectGarbage() {
        while (garbageCollector.step()) {
            // until nothing is left
        }
    }

    /**
     * Does one such thing.
     *
     * @return whether there was one
     */
    public synchronized boolean collectOnePieceOfGarbage() {
        return garbageCollector.step();
    }

    /** Empties namespaces that are being deleted, and removes those that are empty. */
    public synchronized void finishNamespaces() {
        terminating.finish();
    }

    /** Carries out the calls whose clients have given up, the oldest first. */
    public synchronized void carryOutLateCalls() {
        while (!late.isEmpty()) {
            carryOut(late.removeFirst());
        }
    }

    /**
     * Merges into the status of an object what a controller of Kubernetes' own tells. Nothing
     * befalls this call, and no client reads and writes models for it, which takes longer than all
     * the rest.
     *
     * @param status JSON, as {@code {"status": {...}}}
     * @return whether there is such an object
     */
    public synchronized boolean patchStatus(HasMetadata object, String status) {
        return patch(object, "status", PatchType.JSON_MERGE, status, "controller-manager");
    }

    /**
     * Patches an object as somebody of the simulated world, whom nothing befalls.
     *
     * @param subresource empty for the object itself
     * @param patch in JSON
     * @return whether there is such an object
     */
    public synchronized boolean patch(
            HasMetadata object, String subresource, PatchType type, String patch) {
        return patch(object, subresource, type, patch, "fabric8");
    }

    /**
     * Deletes an object, if it is there, as somebody of the simulated world.
     *
     * @param graceSeconds for the containers of a pod; empty for its own
     */
    public synchronized void delete(HasMetadata object, Optional<Long> graceSeconds) {
        Map<String, String> options = new HashMap<>(Map.of("propagationPolicy", "Background"));
        graceSeconds.ifPresent(grace -> options.put("gracePeriodSeconds", Long.toString(grace)));
        carryOut(
                new ApiCall(
                        ApiCall.Verb.DELETE,
                        types.of(object.getClass()),
                        Optional.ofNullable(object.getMetadata().getNamespace()),
                        Optional.of(object.getMetadata().getName()),
                        Optional.empty(),
                        options,
                        "",
                        "",
                        "fabric8"));
    }

    private boolean patch(
            HasMetadata object, String subresource, PatchType type, String patch, String agent) {
        ApiCall call =
                new ApiCall(
                        ApiCall.Verb.PATCH,
                        types.of(object.getClass()),
                        Optional.ofNullable(object.getMetadata().getNamespace()),
                        Optional.of(object.getMetadata().getName()),
                        Optional.of(subresource).filter(part -> !part.isEmpty()),
                        Map.of(),
                        type.getContentType(),
                        patch,
                        agent);
        return carryOut(call).code() == HttpURLConnection.HTTP_OK;
    }

    private void review(ApiCall call, ObjectNode object) {
        admissions.forEach(each -> each.review(call, object));
    }

    private void changed(Change change) {
        watches.removeIf(WatchConnection::isClosed);
        watches.forEach(watch -> watch.notice(change));
    }

    /**
     * @throws IOException if the request or its reply is lost
     */
    synchronized ApiReply call(
            String method, URI uri, String contentType, String body, String agent)
            throws IOException {
        return switch (uri.getPath()) {
            case "/metrics" -> ApiReply.text(counts.text());
            case "/version" -> ApiReply.text(VERSION);
            default -> resourceCall(method, uri, contentType, body, agent);
        };
    }

    private ApiReply resourceCall(
            String method, URI uri, String contentType, String body, String agent)
            throws IOException {
        ApiCall call;
        try {
            call = requests.parse(method, uri, contentType, body, agent);
        } catch (ApiRefusal refusal) {
            return ApiReply.of(refusal);
        }
        return switch (faults.apply(call)) {
            case CallFault.None() -> carryOut(call);
            case CallFault.RequestLost() -> throw new IOException("the request was lost: " + call);
            case CallFault.ReplyLost() -> {
                carryOut(call);
                throw new IOException("the reply was lost: " + call);
            }
            case CallFault.Late() -> {
                late.add(call);
                throw new IOException("the reply did not come in time: " + call);
            }
            case CallFault.Answer(int code) ->
                    ApiReply.of(
                            new ApiRefusal(
                                    code,
                                    code == 429 ? "TooManyRequests" : "InternalError",
                                    "the server does not serve " + call));
        };
    }

    private ApiReply carryOut(ApiCall call) {
        counts.count(call);
        try {
            return endpoints.answer(call);
        } catch (ApiRefusal refusal) {
            return ApiReply.of(refusal);
        } finally {
            if (prompt) {
                deliver();
            }
        }
    }

    /**
     * Opens a watch.
     *
     * @throws ApiRefusal if the request makes no sense
     * @throws IOException if it is lost
     */
    synchronized WatchConnection watch(URI uri, String agent) throws IOException {
        ApiCall call = requests.parse("GET", uri, "", "", agent);
        switch (faults.apply(call)) {
            case CallFault.None() -> counts.count(call);
            case CallFault.Answer(int code) ->
                    throw new ApiRefusal(
                            code, "InternalError", "the server does not serve " + call);
            case CallFault.RequestLost(), CallFault.ReplyLost(), CallFault.Late() ->
                    throw new IOException("the watch was not opened: " + call);
        }
        return new WatchConnection(call);
    }

    /** From now on what is queued may be delivered. */
    synchronized void connect(WatchConnection watch, URI uri, WatchConnection.Client client) {
        ApiCall call = requests.parse("GET", uri, "", "", "");
        watch.connect(client);
        watches.add(watch);
        Optional<Long> since =
                call.parameter("resourceVersion").map(Long::valueOf).filter(version -> version > 0);
        if (since.isEmpty()) {
            watch.start(reads.selected(call));
        } else {
            try {
                watch.start(store.since(since.get()));
            } catch (ApiRefusal expired) {
                watch.fail(expired);
            }
        }
        if (prompt) {
            deliver();
        }
    }
}
