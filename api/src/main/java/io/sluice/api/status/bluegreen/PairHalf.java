// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.sluice.api.spec.ResourceKind;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which half of which FlinkBlueGreenDeployment a FlinkDeployment is.
 *
 * @param pair the name of the FlinkBlueGreenDeployment
 * @param uid of the FlinkBlueGreenDeployment
 */
public record PairHalf(String pair, String uid, HalfColor color) {
    /** By its controller and its name, as a half is made; empty for what is none. */
    public static Optional<PairHalf> of(HasMetadata resource) {
        return resource.getMetadata().getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .filter(
                        owner ->
                                ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT
                                        .wire()
                                        .equals(owner.getKind()))
                .flatMap(
                        owner ->
                                Stream.of(HalfColor.values())
                                        .map(
                                                color ->
                                                        new PairHalf(
                                                                owner.getName(),
                                                                owner.getUid(),
                                                                color)))
                .filter(half -> half.name().equals(resource.getMetadata().getName()))
                .findFirst();
    }

    /** The name of the FlinkDeployment. */
    public String name() {
        return color.nameIn(pair);
    }

    /** The other half of the same pair. */
    public PairHalf other() {
        return new PairHalf(pair, uid, color.other());
    }
}
