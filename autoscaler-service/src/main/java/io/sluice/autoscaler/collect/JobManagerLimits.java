// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.http.AnswerLimits;
import io.sluice.flink.rest.http.HttpLimits;
import io.sluice.rules.config.AnswerOptions;
import io.sluice.rules.config.Options;

/** How long and how much a JobManager may answer the autoscaler. */
public final class JobManagerLimits {
    /** The limits where nothing is configured. */
    public static final HttpLimits DEFAULT = of(new Options(FlinkConfiguration.EMPTY));

    private JobManagerLimits() {}

    public static HttpLimits of(Options options) {
        return HttpLimits.of(AnswerOptions.read(options, AnswerLimits::new));
    }
}
