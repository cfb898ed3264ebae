// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.pace;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Has the resources of a kind looked at again, because something changed that all of them depend
 * on: what was refused waits for nothing else.
 */
public final class Recheck<R extends HasMetadata> {
    private final SimpleInboundEventSource<R> events = new SimpleInboundEventSource<>("recheck");
    private volatile Supplier<Stream<ResourceID>> known = Stream::empty;

    /** What the framework is to listen to. */
    public EventSource<?, R> source(EventSourceContext<R> context) {
        known = context.getPrimaryCache()::keys;
        return events;
    }

    /** Returns at once; nothing happens before the framework listens. */
    public void all() {
        all(_ -> true);
    }

    /** The same, of those that match. */
    public void all(Predicate<ResourceID> which) {
        each(known.get().filter(which));
    }

    /** The same, of these, whether the cache has them yet or not. */
    public void each(Stream<ResourceID> which) {
        which.forEach(events::propagateEvent);
    }
}
