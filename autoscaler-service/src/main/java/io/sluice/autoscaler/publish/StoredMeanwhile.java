// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.sluice.autoscaler.collect.JobKey;

/** Somebody else wrote a job's ConfigMap: what was decided without knowing of that is void. */
public final class StoredMeanwhile extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoredMeanwhile(JobKey key, Throwable cause) {
        super(
                "ConfigMap autoscaler-"
                        + key.name()
                        + " in "
                        + key.namespace()
                        + " was written by somebody else meanwhile, another replica or a person:"
                        + " nothing was published, and it is read anew at the next look",
                cause);
    }
}
