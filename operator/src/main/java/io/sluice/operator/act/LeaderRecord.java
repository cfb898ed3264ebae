// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.Optional;

/**
 * Which JobManager leads, by an annotation of a ConfigMap of Flink's high availability. A
 * JobManager that ends gives the leadership up, but its elector may take it again while the process
 * ends (seen with Flink 1.20, ADR 88). The next JobManager then waits until the lease is over: 15 s
 * and more in which the job is down.
 */
final class LeaderRecord {
    static final String ANNOTATION = "control-plane.alpha.kubernetes.io/leader";

    /** In characters. Flink's have less than 300; whoever writes the ConfigMap may write more. */
    private static final int LONGEST = 4096;

    private static final String HOLDER = "holderIdentity";
    private static final ObjectMapper JSON = new ObjectMapper();

    private LeaderRecord() {}

    /**
     * What the annotation is to say now that no JobManager is left: what a JobManager writes that
     * gives the leadership up. The annotation is not removed, as electors create the ConfigMap
     * where they find none, which fails.
     *
     * @return empty if nobody leads, or nobody can tell
     */
    static Optional<String> released(ConfigMap map) {
        return Optional.ofNullable(map.getMetadata().getAnnotations())
                .flatMap(all -> Optional.ofNullable(all.get(ANNOTATION)))
                .filter(text -> text.length() <= LONGEST)
                .flatMap(LeaderRecord::parse)
                .filter(leader -> !leader.path(HOLDER).asText("").isEmpty())
                .map(leader -> leader.put(HOLDER, "").put("leaseDuration", 1).toString());
    }

    private static Optional<ObjectNode> parse(String text) {
        try {
            return JSON.readTree(text) instanceof ObjectNode leader
                    ? Optional.of(leader)
                    : Optional.empty();
        } catch (JsonProcessingException unreadable) {
            return Optional.empty();
        }
    }
}
