// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.jobs;

import io.sluice.autoscaler.collect.JobKey;
import java.util.Map;
import java.util.Optional;

/** What a half of a blue/green pair has to do with the other one. */
public interface Pairs {
    /** Where no job is a half of a pair. */
    Pairs NONE =
            new Pairs() {
                @Override
                public Optional<JobKey> formerHalf(JobKey job) {
                    return Optional.empty();
                }

                @Override
                public Map<String, String> startOverrides(JobKey job) {
                    return Map.of();
                }

                @Override
                public boolean isBetweenHalves(JobKey job) {
                    return false;
                }
            };

    /** The half whose place this one is to take; empty if there is none, or not any more. */
    Optional<JobKey> formerHalf(JobKey job);

    /** Entries of the former half's ConfigMap with which the operator starts this one. */
    Map<String, String> startOverrides(JobKey job);

    /** Whether a transition of its pair is in progress. */
    boolean isBetweenHalves(JobKey job);
}
