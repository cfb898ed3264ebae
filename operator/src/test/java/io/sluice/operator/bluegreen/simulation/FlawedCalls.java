// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.CallFault;
import java.net.HttpURLConnection;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What becomes of the calls of an operator with flaws. */
final class FlawedCalls {
    private final PairWorld world;
    private final Set<PairFlaws> flaws;

    FlawedCalls(PairWorld world, Set<PairFlaws> flaws) {
        this.world = world;
        this.flaws = flaws;
    }

    CallFault fault(ApiCall call) {
        return switch (call.type().plural()) {
            case "resourcequotas" ->
                    flaws.contains(PairFlaws.QUOTA_IGNORED)
                            ? new CallFault.Answer(HttpURLConnection.HTTP_FORBIDDEN)
                            : CallFault.NONE;
            case "flinkstatesnapshots" ->
                    flaws.contains(PairFlaws.NEVER_REGISTERED) && call.verb() == ApiCall.Verb.CREATE
                            ? new CallFault.Answer(HttpURLConnection.HTTP_CONFLICT)
                            : CallFault.NONE;
            case "flinkdeployments" -> ofHalf(call);
            default -> CallFault.NONE;
        };
    }

    private CallFault ofHalf(ApiCall call) {
        boolean isUnseen =
                switch (call.verb()) {
                    case GET ->
                            (flaws.contains(PairFlaws.UNREAD_IS_ABSENT) && world.strikes(3))
                                    || (flaws.contains(PairFlaws.END_NOT_AWAITED)
                                            && named(call.name())
                                                    .filter(Half::isDeleting)
                                                    .isPresent())
                                    || isOverlooked(named(call.name()));
                    default -> false;
                };
        if (isUnseen) {
            return new CallFault.Answer(HttpURLConnection.HTTP_NOT_FOUND);
        }
        if (call.verb() == ApiCall.Verb.CREATE) {
            var wanted = Serialization.unmarshal(call.body(), FlinkDeployment.class);
            Optional<Half> there = named(Optional.of(wanted.getMetadata().getName()));
            if (isOverlooked(there)) {
                change(
                        wanted.getMetadata().getName(),
                        wanted.getSpec(),
                        wanted.getMetadata().getAnnotations().get(PairWorld.MARK));
                return new CallFault.Answer(HttpURLConnection.HTTP_CONFLICT);
            }
        }
        return CallFault.NONE;
    }

    private Optional<Half> named(Optional<String> name) {
        return Arrays.stream(HalfColor.values())
                .filter(color -> name.equals(Optional.of(color.nameIn(PairWorld.NAME))))
                .flatMap(color -> world.half(color).stream())
                .findFirst();
    }

    private boolean isOverlooked(Optional<Half> half) {
        return flaws.contains(PairFlaws.ABORTED_HALF_RESUMED)
                && half.flatMap(Half::mark).filter(mark -> mark.endsWith("-aborted")).isPresent()
                && world.promises().transition().isPresent();
    }

    private void change(String half, ObjectNode spec, String mark) {
        var _ =
                world.client()
                        .resources(FlinkDeployment.class)
                        .inNamespace(world.namespace())
                        .withName(half)
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                Serialization.asJson(
                                        Map.of(
                                                "metadata",
                                                Map.of("annotations", Map.of(PairWorld.MARK, mark)),
                                                "spec",
                                                spec)));
    }

    /** Suspends the active half if it takes too long to come up with another spec. */
    void abortInPlace(FlinkBlueGreenDeployment resource) {
        Optional<PairTransition> late =
                world.promises()
                        .transition()
                        .filter(it -> it.phase() == TransitionPhase.IN_PLACE)
                        .filter(it -> it.deadline().filter(world.now()::isAfter).isPresent());
        late.flatMap(it -> world.half(it.to()))
                .filter(Half::wantsToRun)
                .ifPresent(
                        half -> {
                            ObjectNode suspended = half.spec().deepCopy();
                            suspended.withObject("/job").put("state", "suspended");
                            change(
                                    late.orElseThrow()
                                            .to()
                                            .nameIn(resource.getMetadata().getName()),
                                    suspended,
                                    late.orElseThrow().id() + "-late");
                        });
    }
}
