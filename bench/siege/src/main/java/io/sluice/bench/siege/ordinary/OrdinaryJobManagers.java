// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.ordinary;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.bench.siege.installation.Addresses;
import io.sluice.bench.siege.installation.LoopbackPort;
import io.sluice.bench.siege.installation.Namespaces;
import io.sluice.testkit.SimulatedKubelet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The JobManagers of ordinary users. Nothing answers in the place of other users' JobManagers. */
public final class OrdinaryJobManagers implements SimulatedKubelet.Containers, AutoCloseable {
    private final int port;
    private final EffectLog effects;
    private final Map<String, LoopbackPort> running = new ConcurrentHashMap<>();

    /**
     * @param port at which they answer
     */
    public OrdinaryJobManagers(int port, EffectLog effects) {
        this.port = port;
        this.effects = effects;
    }

    @Override
    public void start(Deployment deployment) {
        ObjectMeta metadata = deployment.getMetadata();
        String name = metadata.getName();
        if (isOrdinary(metadata)) {
            Optional<String> job =
                    name.equals(Addresses.SESSION_CLUSTER)
                            ? Optional.empty()
                            : Optional.ofNullable(
                                    metadata.getAnnotations().get(SimulatedKubelet.ATTEMPT));
            open(name, new OrdinaryCluster(name, job, effects));
            effects.saw(Effect.DEPLOYED, name);
        }
    }

    @Override
    public void stop(Deployment deployment) {
        if (isOrdinary(deployment.getMetadata())) {
            close(deployment.getMetadata().getName());
        }
    }

    @Override
    public void close() {
        running.values().forEach(LoopbackPort::close);
    }

    private static boolean isOrdinary(ObjectMeta metadata) {
        return metadata.getNamespace().equals(Namespaces.ORDINARY);
    }

    private void open(String name, OrdinaryCluster cluster) {
        close(name);
        try {
            running.put(name, LoopbackPort.open(Addresses.of(name), port, cluster));
        } catch (IOException taken) {
            throw new UncheckedIOException(name, taken);
        }
    }

    private void close(String name) {
        Optional.ofNullable(running.remove(name)).ifPresent(LoopbackPort::close);
        effects.left(name);
    }
}
