// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import io.sluice.testkit.apiserver.ObjectStore.Change;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One watch of one client. What changes is queued here, in order, until it is delivered; the client
 * knows nothing of it before. The methods are for a test that does all in one thread.
 */
public final class WatchConnection {
    /** The client's end of it. */
    interface Client {
        void receive(String event);

        /** The server has closed the connection, in good order or not. */
        void closed();
    }

    private static final String ERROR = "{\"type\":\"ERROR\"";

    private final ResourceType type;
    private final Optional<String> namespace;
    private final Selector selector;
    private final Deque<String> queue = new ArrayDeque<>();
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

    /** Queues objects that are there already. */
    void start(Iterable<StoredObject> objects) {
        for (StoredObject object : objects) {
            if (selector.test(object)) {
                queue.add(event("ADDED", object));
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
            queue.add(event("MODIFIED", after));
        } else if (is) {
            queue.add(event("ADDED", after));
        } else if (was) {
            queue.add(event("DELETED", after));
        }
    }

    private static String event(String type, StoredObject object) {
        return "{\"type\":\""
                + type
                + "\",\"object\":"
                + new String(object.bytes(), StandardCharsets.UTF_8)
                + "}";
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
        String event = queue.removeFirst();
        to.receive(event);
        if (event.startsWith(ERROR)) {
            breakOff();
        }
        return true;
    }

    /** Tells the client which version it has come to, if it knows all before. */
    void bookmark(long version) {
        Client to = client;
        if (!closed && to != null && queue.isEmpty()) {
            to.receive(
                    "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\"resourceVersion\":\"%d\"}}}"
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
        queue.add(ERROR + ",\"object\":" + refusal.status() + "}");
    }

    /** The client does not want any more. */
    void leave() {
        closed = true;
    }
}
