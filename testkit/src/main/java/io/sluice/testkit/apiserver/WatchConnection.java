// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.sluice.testkit.apiserver.ObjectStore.Change;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One watch of one client. What changes is queued here, in order, until it is delivered; the client
 * knows nothing of it before. The methods are for a test that does all in one thread.
 */
public final class WatchConnection {
    /** The client's end of it. */
    interface Client {
        void receive(String event);

        /**
         * An object has come, has changed or is gone.
         *
         * @param type as the API server writes it
         */
        default void receive(String type, StoredObject object) {
            receive(
                    "{\"type\":\""
                            + type
                            + "\",\"object\":"
                            + new String(object.bytes(), StandardCharsets.UTF_8)
                            + "}");
        }

        /** The server has closed the connection, in good order or not. */
        void closed();
    }

    /** What waits to be told. */
    private sealed interface Event {
        record OfObject(String type, StoredObject object) implements Event {}

        record Failure(ApiRefusal refusal) implements Event {}
    }

    /** Who reads objects as models, without a connection. */
    private record Reader<T extends HasMetadata>(Class<T> kind, BiConsumer<Boolean, T> changed)
            implements Client {
        @Override
        public void receive(String type, StoredObject object) {
            changed.accept(!type.equals(DELETED), object.model(kind));
        }

        @Override
        public void receive(String event) {
            if (!event.startsWith(BOOKMARK)) {
                throw new IllegalStateException(event);
            }
        }

        @Override
        public void closed() {
            throw new IllegalStateException("the watch of " + kind + " has ended");
        }
    }

    private static final String DELETED = "DELETED";
    private static final String BOOKMARK = "{\"type\":\"BOOKMARK\"";

    private final ResourceType type;
    private final Optional<String> namespace;
    private final Selector selector;
    private final Deque<Event> queue = new ArrayDeque<>();
    private @Nullable Client client;
    private volatile boolean closed;

    WatchConnection(ApiCall call) {
        this.type = call.type();
        this.namespace = call.namespace();
        this.selector = Selector.of(call);
    }

    void connect(Client client) {
        this.client = client;
    }

    /** A client that reads models which it shares with others. */
    static <T extends HasMetadata> Client reader(Class<T> kind, BiConsumer<Boolean, T> changed) {
        return new Reader<>(kind, changed);
    }

    /** Queues objects that are there already. */
    void start(Iterable<StoredObject> objects) {
        for (StoredObject object : objects) {
            if (selector.test(object)) {
                queue.add(new Event.OfObject("ADDED", object));
            }
        }
    }

    void start(List<Change> changes) {
        changes.forEach(this::notice);
    }

    /** An object that leaves what is selected is deleted for this client, and vice versa. */
    void notice(Change change) {
        StoredObject after = change.after();
        if (closed
                || !after.type().equals(type)
                || namespace
                        .filter(space -> !after.namespace().equals(Optional.of(space)))
                        .isPresent()) {
            return;
        }
        boolean was = change.before().filter(selector).isPresent();
        boolean is = !change.deleted() && selector.test(after);
        if (was && is) {
            queue.add(new Event.OfObject("MODIFIED", after));
        } else if (is) {
            queue.add(new Event.OfObject("ADDED", after));
        } else if (was) {
            queue.add(new Event.OfObject(DELETED, after));
        }
    }

    /** The kind that is watched. */
    public ResourceType type() {
        return type;
    }

    /** How many events wait. */
    public int pending() {
        return closed ? 0 : queue.size();
    }

    public boolean isClosed() {
        return closed;
    }

    /**
     * Delivers the oldest event.
     *
     * @return whether there was one
     */
    public boolean deliver() {
        Client to = client;
        if (closed || to == null || queue.isEmpty()) {
            return false;
        }
        switch (queue.removeFirst()) {
            case Event.OfObject(String kind, StoredObject object) -> to.receive(kind, object);
            case Event.Failure(ApiRefusal refusal) -> {
                to.receive("{\"type\":\"ERROR\",\"object\":" + refusal.status() + "}");
                breakOff();
            }
        }
        return true;
    }

    /** Tells the client which version it has come to, if it knows all before. */
    void bookmark(long version) {
        Client to = client;
        if (!closed && to != null && queue.isEmpty()) {
            to.receive(
                    BOOKMARK
                            + ",\"object\":{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\"resourceVersion\":\"%d\"}}}"
                                    .formatted(type.kind(), type.apiVersion(), version));
        }
    }

    /** Breaks the connection: what is queued is lost with it. */
    public void breakOff() {
        if (!closed) {
            closed = true;
            queue.clear();
            if (client != null) {
                client.closed();
            }
        }
    }

    /** The server remembers too little to go on (410 Gone): the client has to list anew. */
    public void expire() {
        queue.clear();
        fail(ApiRefusal.expired("too old resource version"));
        deliver();
    }

    /** Queues the error with which the watch ends. */
    void fail(ApiRefusal refusal) {
        queue.add(new Event.Failure(refusal));
    }

    /** The client does not want any more. */
    public void leave() {
        closed = true;
    }
}
