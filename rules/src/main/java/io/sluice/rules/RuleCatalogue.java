// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.advice.Advice;
import io.sluice.rules.bluegreen.BlueGreenRules;
import io.sluice.rules.bluegreen.PairAdvice;
import io.sluice.rules.deployment.DeploymentRules;
import io.sluice.rules.review.Rule;
import io.sluice.rules.scale.ScaleRequestRules;
import io.sluice.rules.sessionjob.SessionJobRules;
import io.sluice.rules.snapshot.SnapshotRules;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Every rule there is, for the reference and for whoever wants to count. */
public final class RuleCatalogue {
    /** By kind, in the order in which they are reported. */
    public static final Map<ResourceKind, List<Rule<?>>> BY_KIND =
            Map.of(
                    ResourceKind.FLINK_DEPLOYMENT, List.copyOf(DeploymentRules.ALL),
                    ResourceKind.FLINK_SESSION_JOB, SessionJobRules.ALL,
                    ResourceKind.FLINK_STATE_SNAPSHOT, SnapshotRules.ALL,
                    ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT, BlueGreenRules.ALL);

    /** Those of a write to the subresource {@code scale} of a FlinkDeployment. */
    public static final List<Rule<?>> OF_SCALE = List.copyOf(ScaleRequestRules.ALL);

    /** What is accepted, and yet worth telling. */
    public static final List<Rule<?>> WARNINGS =
            Stream.of(Advice.ALL, PairAdvice.ALL).<Rule<?>>flatMap(List::stream).toList();

    private RuleCatalogue() {}
}
