// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.EngineEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events as lines of the log, for jobs that no resource stands for. */
public final class LoggedEvents implements JobEvents {
    private static final Logger LOG = LoggerFactory.getLogger(LoggedEvents.class);

    private final Map<Identity, LoggedEvent> told = new ConcurrentHashMap<>();
    private final InstantSource uptime;

    private record Identity(JobKey job, String reason, String what) {}

    private record LoggedEvent(Instant at, Optional<String> content) {}

    public LoggedEvents(InstantSource uptime) {
        this.uptime = uptime;
    }

    @Override
    public void publish(JobKey key, EngineEvent event) {
        Identity identity = new Identity(key, event.reason(), event.key().orElse(event.message()));
        Optional<LoggedEvent> last = Optional.ofNullable(told.get(identity));
        Instant now = uptime.instant();
        if (last.isPresent() && isQuiet(last.get(), event, now)) {
            return;
        }
        event.quiet().ifPresent(_ -> told.put(identity, new LoggedEvent(now, event.content())));
        var line =
                switch (event.severity()) {
                    case NORMAL -> LOG.atInfo();
                    case WARNING -> LOG.atWarn();
                };
        line.addKeyValue("job", key.path())
                .addKeyValue("reason", event.reason())
                .log("{}", event.message());
    }

    @Override
    public void leave(JobKey key) {
        told.keySet().removeIf(identity -> identity.job().equals(key));
    }

    private static boolean isQuiet(LoggedEvent last, EngineEvent event, Instant now) {
        return last.content().equals(event.content())
                && event.quiet()
                        .map((Duration quiet) -> last.at().plus(quiet))
                        .filter(now::isBefore)
                        .isPresent();
    }
}
