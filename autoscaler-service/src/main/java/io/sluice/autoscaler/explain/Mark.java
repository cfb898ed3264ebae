// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import java.time.Instant;
import java.util.List;

/** A decision on the time line: what it was, in a word, and why. */
public record Mark(Instant at, String outcome, String why) {
    /** What came of a look at {@code vertices}, as they were then. */
    public static Mark of(Instant at, Verdict verdict, List<VertexView> vertices) {
        return new Mark(
                at,
                verdict.word(),
                verdict instanceof Verdict.Scaled(var overrides, _, _)
                        ? verdict.why() + ": " + ScalingText.brief(vertices, overrides)
                        : verdict.why());
    }
}
