// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.LifecycleOptions;
import java.util.Optional;

/**
 * A JobManager has started once its REST API answers (docs/contract/reconciler.md, section 6),
 * however long that takes. Without a probe a container is ready as soon as it runs, so that a
 * JobManager that ends after a few seconds would count as one that was up.
 */
final class StartupProbe {
    private static final String FIELD = "startupProbe";
    private static final String PORT_NAME = "rest";
    private static final int PERIOD_SECONDS = 1;

    /** A JVM that starts on a fraction of a core may well take longer than the period to answer. */
    private static final int TIMEOUT_SECONDS = 5;

    private StartupProbe() {}

    /** Gives {@code container} the probe, unless its template says otherwise. */
    static void put(ClusterPlan plan, ObjectNode container) {
        Options options = new Options(plan.effective());
        if (container.has(FIELD) || !isWanted(options) || hasUnknownPort(options)) {
            return;
        }
        ObjectNode probe = container.putObject(FIELD);
        boolean encrypted = options.usesRestTls();
        if (encrypted && options.get(FlinkOptions.REST_CLIENT_CERTIFICATES)) {
            // A kubelet has no certificate to show: that the port is open has to do.
            port(options, probe.putObject("tcpSocket"));
        } else {
            ObjectNode request = probe.putObject("httpGet").put("path", "/config");
            port(options, request);
            if (encrypted) {
                request.put("scheme", "HTTPS");
            }
        }
        probe.put("periodSeconds", PERIOD_SECONDS)
                .put("timeoutSeconds", TIMEOUT_SECONDS)
                .put("failureThreshold", Integer.MAX_VALUE);
    }

    private static boolean isWanted(Options options) {
        return options.get(LifecycleOptions.STARTUP_PROBE);
    }

    /** On its node's network a JobManager takes any port that is free, and declares none. */
    private static boolean hasUnknownPort(Options options) {
        return options.get(FlinkOptions.HOST_NETWORK);
    }

    /**
     * Names the port as Flink declares it, or gives its number if the JobManager listens on another
     * one.
     */
    private static void port(Options options, ObjectNode target) {
        Optional<Integer> other =
                options.get(FlinkOptions.REST_BIND_PORT)
                        .filter(text -> text.matches("[1-9]\\d{0,4}"))
                        .map(Integer::valueOf);
        other.ifPresentOrElse(
                number -> target.put("port", number), () -> target.put("port", PORT_NAME));
    }
}
