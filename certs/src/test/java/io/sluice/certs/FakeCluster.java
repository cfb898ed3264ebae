// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A Secret and one webhook configuration in memory, with the API server's optimistic locking. */
final class FakeCluster implements CertStore, BundlePublisher {
    private final Map<Map<String, String>, Stored> decoded = new HashMap<>();
    private Map<String, String> secret = Map.of();
    private long secretVersion;
    private String bundle = "";
    private long bundleVersion = 1;
    private boolean configured = true;
    private Runnable beforeNextSave = () -> {};

    synchronized void corrupt(String key, String value) {
        Map<String, String> broken = new HashMap<>(secret);
        broken.put(key, value);
        secret = Map.copyOf(broken);
        secretVersion++;
    }

    synchronized void deleteSecret() {
        secret = Map.of();
        secretVersion++;
    }

    synchronized void resetBundle() {
        writeBundle("");
    }

    /** What somebody else writes into the configuration. */
    synchronized void writeBundle(String foreign) {
        bundle = foreign;
        bundleVersion++;
    }

    synchronized void withConfiguration(boolean exists) {
        configured = exists;
    }

    /** What another replica does between our look and our write. */
    synchronized void beforeNextSave(Runnable interference) {
        beforeNextSave = interference;
    }

    synchronized String bundle() {
        return bundle;
    }

    synchronized Map<String, String> secret() {
        return secret;
    }

    @Override
    public synchronized Loaded load() {
        return new Loaded(
                decoded.computeIfAbsent(secret, CertMaterial::decode),
                secretVersion == 0 ? Optional.empty() : Optional.of("" + secretVersion));
    }

    @Override
    public synchronized boolean save(CertMaterial material, Loaded seen) {
        Runnable interference = beforeNextSave;
        beforeNextSave = () -> {};
        interference.run();
        if (!seen.version().orElse("0").equals("" + secretVersion)) {
            return false;
        }
        secret = material.encode();
        secretVersion++;
        return true;
    }

    @Override
    public synchronized Publication read() {
        return configured
                ? new Publication(List.of(target()), List.of())
                : new Publication(List.of(), List.of("the configuration"));
    }

    @Override
    public synchronized void publish(String next, Publication seen) {
        if (configured && seen.targets().contains(target()) && !bundle.equals(next)) {
            bundle = next;
            bundleVersion++;
        }
    }

    private Publication.Target target() {
        return new Publication.Target("one", "" + bundleVersion, Set.of(bundle));
    }
}
