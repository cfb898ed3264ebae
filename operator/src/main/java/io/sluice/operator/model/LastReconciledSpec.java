// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.ReconciliationStatus;
import io.sluice.rules.diff.SpecDiff;
import java.time.Duration;
import java.util.Optional;

/**
 * The spec that the operator reconciled last, as the status has it.
 *
 * @param encoded the literal string of {@code lastReconciledSpec}
 */
public record LastReconciledSpec(
        String encoded, FlinkDeploymentSpec spec, ObjectNode raw, boolean firstDeployment) {
    private static final String DESIRED_STATE = "spec.job.state";

    /**
     * The specs that were read last are kept until their texts have so many characters together.
     */
    private static final int LATELY_KEPT = 512 * 1024;

    /** A shorter text counts for so many characters: a parsed spec takes more than its text. */
    private static final int LEAST_WEIGHT = 8 * 1024;

    /** A reconciliation asks several times for the same, and then nobody does. */
    private static final Duration LATELY = Duration.ofSeconds(10);

    private static final Cache<String, Optional<LastReconciledSpec>> READ_LATELY =
            Caffeine.newBuilder()
                    .maximumWeight(LATELY_KEPT)
                    .weigher((String encoded, Object _) -> Math.max(LEAST_WEIGHT, encoded.length()))
                    .expireAfterAccess(LATELY)
                    .executor(Runnable::run)
                    .build();

    /** Reads what a status remembers; empty if it remembers nothing that can be read. */
    public static Optional<LastReconciledSpec> from(ReconciliationStatus status) {
        return status.lastReconciledSpec()
                .flatMap(encoded -> READ_LATELY.get(encoded, LastReconciledSpec::decoded));
    }

    private static Optional<LastReconciledSpec> decoded(String encoded) {
        return ReconciledSpec.decode(encoded).map(spec -> of(encoded, spec));
    }

    /** What the attempt on record runs with: after a rollback the last stable spec. */
    public static Optional<LastReconciledSpec> running(FlinkDeploymentStatus status) {
        Optional<LastReconciledSpec> last = from(status.reconciliationStatus());
        boolean rolledBack =
                status.attempt().rolledBack()
                        || status.reconciliationStatus().state() == ReconciliationState.ROLLED_BACK;
        return rolledBack ? stable(status.reconciliationStatus()).or(() -> last) : last;
    }

    /**
     * The last stable spec as a rollback carries it out: running, and with its last state unless
     * the spec that failed has none.
     */
    public static Optional<LastReconciledSpec> stable(ReconciliationStatus status) {
        boolean stateless =
                from(status)
                        .flatMap(last -> last.spec().job())
                        .filter(job -> job.upgradeMode() != UpgradeMode.STATELESS)
                        .isEmpty();
        return status.lastStableSpec()
                .flatMap(
                        encoded ->
                                ReconciledSpec.decode(encoded)
                                        .map(decoded -> decoded.wishing(DesiredJobState.RUNNING))
                                        .map(
                                                decoded ->
                                                        decoded.restoredBy(
                                                                stateless
                                                                        ? UpgradeMode.STATELESS
                                                                        : UpgradeMode.LAST_STATE))
                                        .map(decoded -> of(encoded, decoded)));
    }

    /** Whether {@code spec} is the last stable one, but for what restarts nothing. */
    public static boolean isStable(ReconciliationStatus status, FlinkDeploymentSpec spec) {
        return stable(status)
                .map(stable -> SpecDiff.between(stable.spec(), spec).effect())
                .filter(effect -> effect.compareTo(SpecDiff.Effect.SCALE) < 0)
                .isPresent();
    }

    /** Whether it differs from {@code former} in nothing that a running job would notice. */
    public boolean restartsNothingOf(LastReconciledSpec former) {
        return SpecDiff.between(former.spec, spec).changes().stream()
                .filter(change -> !change.path().equals(DESIRED_STATE))
                .allMatch(change -> change.effect().compareTo(SpecDiff.Effect.IGNORE) <= 0);
    }

    /** Whether by itself it says that what is started of it has no state to start from. */
    public boolean startsEmpty() {
        return spec.job()
                .filter(
                        job ->
                                job.upgradeMode() == UpgradeMode.STATELESS
                                        || (firstDeployment
                                                && job.initialSavepointPath().isEmpty()))
                .isPresent();
    }

    private static LastReconciledSpec of(String encoded, ReconciledSpec decoded) {
        return new LastReconciledSpec(
                encoded,
                FlinkDeploymentSpec.parse(decoded.spec(), "spec").value(),
                decoded.spec(),
                decoded.firstDeployment());
    }
}
