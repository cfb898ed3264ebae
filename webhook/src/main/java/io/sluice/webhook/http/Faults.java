// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.webhook.metric.WebhookMetrics;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Answers a request that got no verdict. The caller is told little and the log everything; both
 * have the same id.
 */
final class Faults {
    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);

    private final WebhookMetrics metrics;

    Faults(WebhookMetrics metrics) {
        this.metrics = metrics;
    }

    /** Counts and logs; the body of the answer. */
    byte[] tell(String path, Fault fault, Optional<Throwable> cause) {
        String id = UUID.randomUUID().toString();
        metrics.fault(fault.label());
        LoggingEventBuilder line =
                LOG.atLevel(cause.isPresent() ? Level.ERROR : Level.WARN)
                        .addKeyValue("id", id)
                        .addKeyValue("path", path)
                        .addKeyValue("fault", fault.label());
        cause.map(line::setCause).orElse(line).log("no verdict");
        return JsonNodeFactory.instance
                .objectNode()
                .put("error", fault.text())
                .put("id", id)
                .toString()
                .getBytes(UTF_8);
    }
}
