// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.EngineEvent;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events as lines of the log, for jobs that no resource stands for. */
public final class LoggedEvents implements JobEvents {
    private static final Logger LOG = LoggerFactory.getLogger(LoggedEvents.class);

    private final ToldEvents told;

    public LoggedEvents(InstantSource uptime) {
        told = new ToldEvents(uptime);
    }

    @Override
    public void publish(JobKey key, EngineEvent event) {
        if (told.isRepeated(key, event)) {
            return;
        }
        told.add(key, event);
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
        told.leave(key);
    }
}
