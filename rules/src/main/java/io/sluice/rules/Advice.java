// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import java.util.List;

/** What is accepted, and yet worth telling whoever wrote it. */
final class Advice {
    private Advice() {}

    static List<Warning> of(ReviewRequest request, DeploymentReview review) {
        return List.of();
    }

    static List<Warning> of(ReviewRequest request, SessionJobReview review, Lookup.Answer answer) {
        return List.of();
    }

    static List<Warning> of(SnapshotReview review) {
        return List.of();
    }
}
