// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes, decides by {@link CertPlan} and acts, step by step, until there is nothing left to do
 * now. It runs in every replica; the only memory it has is since when it has seen the bundle
 * published, which a restart may safely forget. Not for use by several threads.
 */
public final class Rotator {
    private static final Logger LOG = LoggerFactory.getLogger(Rotator.class);

    /** More steps than any way from nothing to a trusted leaf has. */
    private static final int MOST_STEPS = 6;

    private final CertPolicy policy;
    private final CertStore store;
    private final BundlePublisher publisher;
    private final InstantSource clock;
    private final Issuer issuer;

    private Optional<Seen> trusted = Optional.empty();

    private record Seen(String bundle, Instant since) {}

    /** What one step looked at. */
    private record Observation(
            CertSnapshot snapshot, CertStore.Loaded loaded, Publication publication) {}

    public Rotator(
            CertPolicy policy, CertStore store, BundlePublisher publisher, InstantSource clock) {
        this.policy = policy;
        this.store = store;
        this.publisher = publisher;
        this.clock = clock;
        this.issuer = new Issuer(policy, new SecureRandom());
    }

    /** Takes from the first pass of a process what can be done beside other work. */
    public static void prepare() {
        Issuer.prepare();
    }

    /** Does what is due now. Faults of the API server come through as they are. */
    public CertState pass() {
        Observation observation = observe();
        for (int step = 0; step < MOST_STEPS; step++) {
            CertPlan plan = CertPlan.of(observation.snapshot());
            if (plan instanceof CertPlan.Keep || isStuck(plan, observation)) {
                break;
            }
            perform(plan, observation);
            observation = observe();
        }
        return state(observation);
    }

    /** The configurations are read first: see {@link BundlePublisher#publish}. */
    private Observation observe() {
        Publication publication = publisher.read();
        CertStore.Loaded loaded = store.load();
        Instant now = clock.instant();
        trusted = trustedNow(publication, loaded.stored(), now);
        return new Observation(
                new CertSnapshot(now, policy, loaded.stored(), trusted.map(Seen::since)),
                loaded,
                publication);
    }

    private Optional<Seen> trustedNow(Publication publication, Stored stored, Instant now) {
        if (!(stored instanceof Stored.Present(var material))
                || !publication.holds(material.bundle())) {
            return Optional.empty();
        }
        String bundle = material.bundle();
        return trusted.filter(seen -> seen.bundle().equals(bundle))
                .or(() -> Optional.of(new Seen(bundle, now)));
    }

    /** Publishing again would change nothing while a configuration does not exist. */
    private static boolean isStuck(CertPlan plan, Observation observation) {
        return plan instanceof CertPlan.PublishBundle
                && observation.snapshot().stored() instanceof Stored.Present(var material)
                && observation.publication().targets().stream()
                        .allMatch(target -> target.holds(material.bundle()));
    }

    private void perform(CertPlan plan, Observation observation) {
        Instant now = observation.snapshot().now();
        switch (plan) {
            case CertPlan.Keep _ -> {}
            case CertPlan.Issue(var why) ->
                    save(
                            "issue: " + why,
                            CertMaterial.issue(
                                    issuer, now, observation.publication().authorities()),
                            observation);
            case CertPlan.RotateCa _ ->
                    save(
                            "rotate the authority",
                            material(observation).withNewAuthority(issuer, now),
                            observation);
            case CertPlan.RenewLeaf _ ->
                    save(
                            "renew the leaf",
                            material(observation).withNewLeaf(issuer, now),
                            observation);
            case CertPlan.PublishBundle _ ->
                    publisher.publish(material(observation).bundle(), observation.publication());
        }
    }

    private void save(String action, CertMaterial material, Observation observation) {
        boolean won = store.save(material, observation.loaded());
        LOG.atInfo()
                .addKeyValue("action", action)
                .addKeyValue("won", won)
                .addKeyValue("leafExpires", material.leaf().getNotAfter().toInstant())
                .log(won ? "stored certificates" : "another replica was faster");
    }

    private static CertMaterial material(Observation observation) {
        return switch (observation.snapshot().stored()) {
            case Stored.Present(var material) -> material;
            case Stored.Missing _, Stored.Broken _ ->
                    throw new IllegalStateException("a plan without Issue needs what is stored");
        };
    }

    private static CertState state(Observation observation) {
        Optional<CertMaterial> material =
                observation.snapshot().stored() instanceof Stored.Present(var present)
                        ? Optional.of(present)
                        : Optional.empty();
        CertSnapshot snapshot = observation.snapshot();
        return new CertState(
                snapshot.now(),
                material,
                snapshot.trustedSince().isPresent(),
                snapshot.isSettled(),
                observation.publication().absent());
    }
}
