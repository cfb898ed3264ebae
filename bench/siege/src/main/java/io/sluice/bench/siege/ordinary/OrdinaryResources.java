// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.ordinary;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.sluice.api.FlinkDeployment;
import io.sluice.bench.siege.installation.Addresses;
import io.sluice.bench.siege.installation.Namespaces;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ordinary applications as their users see them. One that is stable may be taken for the next
 * action; it is available again once it is stable at the generation that the action made.
 */
public final class OrdinaryResources implements Watcher<FlinkDeployment>, AutoCloseable {
    private final EffectLog effects;
    private final Map<String, Long> stableGeneration = new HashMap<>();
    private final Map<String, String> lifecycle = new HashMap<>();
    private final Map<String, Long> awaited = new HashMap<>();
    private final Deque<String> available = new ArrayDeque<>();
    private final Watch watch;

    public OrdinaryResources(KubernetesClient client, EffectLog effects) {
        this.effects = effects;
        watch =
                client.resources(FlinkDeployment.class)
                        .inNamespace(Namespaces.ORDINARY)
                        .watch(this);
    }

    /** The one that has been stable for the longest time, for one action. */
    synchronized Optional<String> take() {
        return Optional.ofNullable(available.pollFirst());
    }

    /** The action is over, and made {@code generation}. */
    synchronized void giveBack(String name, long generation) {
        awaited.put(name, generation);
        offerIfStable(name);
    }

    synchronized int available() {
        return available.size();
    }

    /** Those that are not stable, with their lifecycle's state. */
    public synchronized List<String> unstable() {
        List<String> found = new ArrayList<>();
        lifecycle.forEach(
                (name, state) -> {
                    if (!state.equals("STABLE")) {
                        found.add(name + " is " + state);
                    }
                });
        return found;
    }

    @Override
    public synchronized void eventReceived(Action action, FlinkDeployment found) {
        String name = found.getMetadata().getName();
        if (action == Action.DELETED) {
            stableGeneration.remove(name);
            lifecycle.remove(name);
            awaited.remove(name);
            available.remove(name);
            effects.saw(Effect.GONE, name);
            return;
        }
        ObjectNode status = found.getStatus();
        String state = status == null ? "" : status.path("lifecycleState").asText();
        lifecycle.put(name, state);
        if (status != null && state.equals("STABLE")) {
            stableGeneration.put(name, status.path("observedGeneration").asLong());
            offerIfStable(name);
        }
    }

    @Override
    public void onClose(WatcherException cause) {
        throw new IllegalStateException("the watch of FlinkDeployments ended", cause);
    }

    @Override
    public void close() {
        watch.close();
    }

    private void offerIfStable(String name) {
        Long wanted = awaited.get(name);
        if (wanted != null && stableGeneration.getOrDefault(name, 0L) >= wanted) {
            awaited.remove(name);
            if (!name.equals(Addresses.SESSION_CLUSTER)) {
                available.addLast(name);
            }
        }
    }
}
