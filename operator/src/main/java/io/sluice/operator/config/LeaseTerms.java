// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import java.time.Duration;

/**
 * The Lease that several operators share.
 *
 * @param duration after which others may take a lease that was not renewed
 * @param renewDeadline after which a leader that can't renew it gives up; less than the duration
 * @param retryPeriod between two tries
 */
public record LeaseTerms(
        String namespace,
        String name,
        String identity,
        Duration duration,
        Duration renewDeadline,
        Duration retryPeriod) {

    /**
     * For how long a leader may have stood still and still act: it can't have lost the lease
     * meanwhile without having been told.
     */
    public Duration patience() {
        return duration.minus(renewDeadline);
    }
}
