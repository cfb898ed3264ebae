// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.hands;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.operator.world.TriesInVain;
import io.sluice.testkit.apiserver.Admission;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.ApiRefusal;
import io.sluice.testkit.sim.Dice;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A quota that is used up for a while, or a webhook that refuses or does not answer. */
public final class Refusals implements Admission {
    private static final List<String> KINDS =
            List.of("pods", "deployments", "configmaps", "services");
    private static final int LONGEST_SECONDS = 600;

    private final Supplier<Instant> now;
    private final TriesInVain tries;
    private Instant until = Instant.EPOCH;
    private String kind = "";
    private int code;

    /**
     * @param violated is told what must not have happened
     */
    public Refusals(Supplier<Instant> now, Consumer<String> violated) {
        this.now = now;
        tries = new TriesInVain(now, violated);
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
            if (!kind.equals("pods") && code == 403) {
                tries.refused();
            }
            throw code == 403
                    ? ApiRefusal.forbidden(call, name, "exceeded quota: compute")
                    : new ApiRefusal(
                            code,
                            "InternalError",
                            "Internal error occurred: failed calling webhook \"policy\": timed out");
        }
    }
}
