// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.habits;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.operator.validation.Verdict;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Validators of the platform: they refuse arguments that say so, and for a while they fail or are
 * slow. What they accepted once they accept again.
 */
public final class PlatformValidators implements SpecValidators {
    private static final String REFUSED = "refused";

    private final Supplier<Instant> now;
    private final Set<JsonNode> accepted = new HashSet<>();
    private Instant until = Instant.EPOCH;
    private Verdict meanwhile = new Verdict.Pending();

    public PlatformValidators(Supplier<Instant> now) {
        this.now = now;
    }

    /** Arguments that they refuse. */
    public static String refused(int number) {
        return REFUSED + number;
    }

    public static boolean isRefused(JsonNode spec) {
        return spec.at("/job/args/0").asText().startsWith(REFUSED);
    }

    /** Whether the event SpecChanged says that arguments are taken up that they refuse. */
    public static boolean isTaken(String event) {
        return event.contains("-> [" + REFUSED);
    }

    /** They say nothing but that, until then. */
    public void say(Verdict verdict, Instant until) {
        this.until = until;
        meanwhile = verdict;
    }

    /** They are at work again. */
    public void recover() {
        until = Instant.EPOCH;
    }

    @Override
    public Verdict of(HasMetadata resource, ObjectNode spec) {
        if (now.get().isBefore(until)) {
            return meanwhile;
        }
        if (isRefused(spec)) {
            return new Verdict.Refused(List.of("platform: job.args: not these"));
        }
        if (resource instanceof FlinkDeployment deployment) {
            accepted.add(deployment.getSpec().deepCopy());
        }
        return new Verdict.Accepted();
    }

    /** Whether they have accepted it at any time. */
    public boolean haveAccepted(JsonNode spec) {
        return accepted.contains(spec);
    }
}
