// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import java.util.Optional;

/** A half of a pair: its FlinkDeployment as the API server has it, and what its job does. */
interface Half {
    FlinkDeployment stored();

    /** The API server has another version of it. */
    void sees(FlinkDeployment next);

    /** Whether the operator has made it. */
    boolean isOurs();

    /** Whether it has a job that has not ended. */
    boolean isLive();

    /** Whether its job runs as its spec says. */
    boolean isSteady();

    /** Whether it was so since its spec is what it is. */
    boolean wasSteady();

    /** Of the job that was started last. */
    String image();

    /** How far the job was that was started last when it began. */
    long base();

    /** The run from nothing that the job went back to when it began. */
    int lineOfBase();

    /** The run from nothing that the job goes back to now. */
    int line();

    /** Remembers how far it is now; a time that is named again stays the first one. */
    void note(String time);

    /** How far it was at {@code time}, as {@link #note} has named it; 0 if it was not there. */
    long positionAt(String time);

    /** How long ago it was steady first since its job was started. */
    long secondsSteady();

    /** Its own operator has it wait with its deletion. */
    default void hold() {}

    /** What runs of it has had a turn. */
    void step();

    default String uid() {
        return stored().getMetadata().getUid();
    }

    default ObjectNode spec() {
        return stored().getSpec();
    }

    default boolean isDeleting() {
        return stored().getMetadata().getDeletionTimestamp() != null;
    }

    default boolean wantsToRun() {
        return !spec().at("/job/state").asText("running").equals("suspended");
    }

    /** The id of the transition that made or changed it last. */
    default Optional<String> mark() {
        return Optional.ofNullable(stored().getMetadata().getAnnotations())
                .flatMap(all -> Optional.ofNullable(all.get(PairWorld.MARK)));
    }

    default boolean isMarkedAborted() {
        return mark().filter(it -> it.endsWith("-aborted")).isPresent();
    }
}
