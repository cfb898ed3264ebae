// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code status.cron}: what is remembered of a cron job, in the status of the resource that is its
 * template.
 *
 * @param schedule expression and zone that {@link #since} speaks of; empty while suspended
 * @param since times up to this one are not made up for
 * @param lastFire the last time that was dealt with, whether a run came of it or not
 * @param starting the time whose run is being made
 * @param nextFire for people
 * @param active names of the runs under way, for people
 */
@RecordBuilder
public record CronStatus(
        String schedule,
        Optional<Instant> since,
        Optional<Instant> lastFire,
        Optional<Instant> starting,
        Optional<Instant> nextFire,
        List<String> active)
        implements CronStatusBuilder.With {
    /** Of a template that nobody has looked at yet. */
    public static final CronStatus NONE =
            CronStatusBuilder.builder().schedule("").active(List.of()).build();

    public CronStatus {
        active = List.copyOf(active);
    }

    /** What a status holds; what can't be read counts as not there. */
    public static CronStatus of(ObjectNode status) {
        return Fields.read(status, "status", CronStatus::inside).value();
    }

    private static CronStatus inside(Fields status) {
        return status.object("cron", CronStatus::read).orElse(NONE);
    }

    private static CronStatus read(Fields fields) {
        return new CronStatus(
                fields.string("schedule").orElse(""),
                fields.string("since").flatMap(StatusJson::instant),
                fields.string("lastFireTime").flatMap(StatusJson::instant),
                fields.string("startingFireTime").flatMap(StatusJson::instant),
                fields.string("nextFireTime").flatMap(StatusJson::instant),
                fields.strings("active"));
    }

    /** Writes it onto the status of its template. */
    public void writeOnto(ObjectNode status) {
        ObjectNode node = StatusJson.objectAt(status, "cron");
        node.put("schedule", schedule);
        StatusJson.put(node, "since", since.map(Instant::toString));
        StatusJson.put(node, "lastFireTime", lastFire.map(Instant::toString));
        StatusJson.put(node, "startingFireTime", starting.map(Instant::toString));
        StatusJson.put(node, "nextFireTime", nextFire.map(Instant::toString));
        var names = node.putArray("active");
        active.forEach(names::add);
    }
}
