// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.OperatorException;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.sluice.api.RawResource;
import io.sluice.process.cache.PackedStore;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Resources that are the primaries of one controller and the secondaries of another. They are
 * listed and watched once, for both. What the other sees is what the watch has brought, as from a
 * watch of its own.
 */
public final class Shared<R extends RawResource> {
    /** The framework waits as long for each of its own lists. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Class<R> type;
    private final PackedStore<R, ?> store;
    private final CountDownLatch listed = new CountDownLatch(1);

    /**
     * @param store of the controller that has them as its primaries
     */
    public Shared(Class<R> type, PackedStore<R, ?> store) {
        this.type = type;
        this.store = store;
    }

    public PackedStore<R, ?> store() {
        return store;
    }

    /** The resource of that name, as the watch has brought it. */
    public Optional<R> cached(String namespace, String name) {
        return store.unpacked(namespace, name);
    }

    /**
     * To be among the sources of the controller that has them as its primaries: the framework
     * starts it when their list is there.
     */
    public EventSource<?, R> listed() {
        return new SimpleInboundEventSource<>("listed") {
            @Override
            public void start() throws OperatorException {
                super.start();
                listed.countDown();
            }
        };
    }

    /**
     * For the other controller, which starts only once there is a list: what is not known yet must
     * not be taken for missing.
     *
     * @param needed the one that a resource needs
     * @param neededBy the resources that need one
     */
    public <P extends HasMetadata> EventSource<R, P> source(
            Function<P, Optional<ResourceID>> needed, Function<R, Set<ResourceID>> neededBy) {
        return new Secondaries<>(needed, neededBy);
    }

    private final class Secondaries<P extends HasMetadata> extends AbstractEventSource<R, P> {
        private final Function<P, Optional<ResourceID>> needed;
        private final Function<R, Set<ResourceID>> neededBy;

        private Secondaries(
                Function<P, Optional<ResourceID>> needed, Function<R, Set<ResourceID>> neededBy) {
            super(type, type.getSimpleName());
            this.needed = needed;
            this.neededBy = neededBy;
        }

        @Override
        public void start() throws OperatorException {
            store.listen(this::changed);
            try {
                if (!listed.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new OperatorException(
                            "there is no list of " + type.getSimpleName() + " after " + PATIENCE);
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new OperatorException("stopped while it started", stopped);
            }
            super.start();
        }

        private void changed(R resource) {
            neededBy.apply(resource).forEach(id -> getEventHandler().handleEvent(new Event(id)));
        }

        @Override
        public Set<R> getSecondaryResources(P primary) {
            return needed.apply(primary)
                    .flatMap(id -> cached(id.getNamespace().orElse(""), id.getName()))
                    .map(Set::of)
                    .orElseGet(Set::of);
        }
    }
}
