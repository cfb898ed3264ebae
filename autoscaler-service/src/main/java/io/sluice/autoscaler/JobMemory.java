// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.sluice.autoscaler.collect.EngineOptions;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.autoscaler.decide.Engine;
import io.sluice.autoscaler.decide.EngineJob;
import io.sluice.autoscaler.decide.Evaluation;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of one job and the ConfigMap behind it: read once, written when a cycle changed
 * something. After any failure both are in doubt, so the ConfigMap is read again.
 */
final class JobMemory {
    private static final Logger LOG = LoggerFactory.getLogger(JobMemory.class);

    private final JobKey key;
    private final World world;
    private Engine engine = new Engine();
    private long balancedBefore;
    private Optional<Map<String, String>> stored = Optional.empty();
    private Optional<Long> resetNonce = Optional.empty();

    JobMemory(JobKey key, World world) {
        this.key = key;
        this.world = world;
    }

    /** A changed nonce is the user's wish to start from nothing. */
    void recall(Optional<Long> nonce) {
        if (stored.isEmpty()) {
            Map<String, String> data = world.states().load(key);
            for (String unreadable : engine.load(data)) {
                LOG.atWarn()
                        .addKeyValue("job", key.path())
                        .log("stored state discarded, {}", unreadable);
            }
            stored = Optional.of(data);
        } else if (!nonce.equals(resetNonce)) {
            LOG.atInfo().addKeyValue("job", key.path()).log("state reset as asked for");
            replaceEngine();
        }
        resetNonce = nonce;
    }

    Evaluation evaluate(Subject.Scalable subject) throws Exception {
        return engine.evaluate(
                new EngineJob(
                        key,
                        subject.jobId(),
                        EngineOptions.of(subject.options()),
                        () -> world.engineClients().at(world.jobManagerOf(key))));
    }

    SortedMap<String, Integer> overrides() {
        return engine.overrides();
    }

    Optional<Instant> lastScaling() {
        return engine.lastScaling();
    }

    long balanced() {
        return balancedBefore + engine.balanced();
    }

    void accept() {
        save(engine.accept());
    }

    void reject() {
        save(engine.reject());
    }

    void forget() {
        replaceEngine();
        stored = Optional.empty();
    }

    private void save(Map<String, String> data) {
        if (!stored.equals(Optional.of(data))) {
            world.states().save(key, data);
            stored = Optional.of(Map.copyOf(data));
        }
    }

    private void replaceEngine() {
        balancedBefore = balanced();
        engine = new Engine();
    }
}
