// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.hands;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.testkit.apiserver.Admission;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.ApiRefusal;
import io.sluice.testkit.sim.Dice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A quota that is used up for a while, or a webhook that refuses or does not answer. */
public final class Refusals implements Admission {
    private static final List<String> KINDS =
            List.of("pods", "deployments", "configmaps", "services");
    private static final int LONGEST_SECONDS = 600;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Each edit and each process of the operator may try once more. */
    private static final int MOST_IN_A_MINUTE = 12;

    private final Supplier<Instant> now;
    private final Consumer<String> violated;
    private final Deque<Instant> refused = new ArrayDeque<>();
    private Instant until = Instant.EPOCH;
    private String kind = "";
    private int code;

    /**
     * @param violated is told what must not have happened
     */
    public Refusals(Supplier<Instant> now, Consumer<String> violated) {
        this.now = now;
        this.violated = violated;
    }

    /** Begins; returns what is refused. */
    public String begin(Dice dice) {
        kind = dice.pick(KINDS);
        code = dice.pick(List.of(403, 403, 500));
        until = now.get().plus(Duration.ofSeconds(10L + dice.below(LONGEST_SECONDS)));
        return kind + " with " + code + " until " + until;
    }

    public void end() {
        until = Instant.EPOCH;
    }

    /** A refused pod is tried again by Kubernetes, and not by the operator. */
    private void count(String kind) {
        if (kind.equals("pods")) {
            return;
        }
        refused.addLast(now.get());
        while (refused.peekFirst().isBefore(now.get().minus(MINUTE))) {
            refused.removeFirst();
        }
        if (refused.size() > MOST_IN_A_MINUTE) {
            violated.accept("what is refused is tried " + refused.size() + " times in a minute");
        }
    }

    @Override
    public void review(ApiCall call, ObjectNode object) {
        boolean isCreated =
                call.verb() == ApiCall.Verb.CREATE
                        || (call.verb() == ApiCall.Verb.PATCH
                                && object.at("/metadata/resourceVersion").isMissingNode());
        String name = object.at("/metadata/name").asText();
        boolean isFlinks = name.endsWith("-config-map");
        if (isCreated
                && !isFlinks
                && call.type().plural().equals(kind)
                && now.get().isBefore(until)) {
            count(call.type().plural());
            throw code == 403
                    ? ApiRefusal.forbidden(call, name, "exceeded quota: compute")
                    : new ApiRefusal(
                            code,
                            "InternalError",
                            "Internal error occurred: failed calling webhook \"policy\": timed out");
        }
    }
}
