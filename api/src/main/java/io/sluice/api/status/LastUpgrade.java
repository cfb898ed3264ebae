// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.sluice.api.json.Wire;
import io.sluice.api.spec.UpgradeMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * {@code status.lastUpgrade}: how long the last upgrade kept the job down. It is written with the
 * status that first tells that the job runs again, and stays until the next upgrade has ended.
 *
 * <p>The downtime is the time from when the operator was about to ask the job to stop until all
 * tasks of a job of the resource run. It contains the savepoint, during which the job may still
 * process records, and the restore of state, during which Flink calls a task {@code INITIALIZING}.
 * It leaves out what follows until the first record: sources connect, and what has waited meanwhile
 * is worked off.
 *
 * @param outcome whether the changed spec runs, or the last stable one after a rollback
 * @param mode the {@code spec.job.upgradeMode} of the spec that the job was stopped for
 * @param stopRequested when the operator was about to ask the job to stop, by the operator's clock,
 *     in whole milliseconds
 * @param running when the last of the job's tasks began to run, by the JobManager's clock, in whole
 *     milliseconds; when the operator saw that they run, if the JobManager's time can't be right
 */
public record LastUpgrade(
        Outcome outcome, UpgradeMode mode, Instant stopRequested, Instant running) {
    /** Which spec runs. */
    public enum Outcome implements Wire {
        UPGRADED("upgraded"),
        ROLLED_BACK("rolled-back");

        public static final SequencedMap<String, Outcome> WORDS = Wire.words(values());

        private final String wire;

        Outcome(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }

    public LastUpgrade {
        stopRequested = stopRequested.truncatedTo(ChronoUnit.MILLIS);
        running = running.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Returns the last upgrade of a status; empty if it has none, or one that can't be read. */
    public static Optional<LastUpgrade> of(ObjectNode status) {
        return Fields.read(status, "status", LastUpgrade::inside).value();
    }

    public Duration downtime() {
        return Duration.between(stopRequested, running);
    }

    static Optional<LastUpgrade> inside(Fields status) {
        return status.object("lastUpgrade", LastUpgrade::read).flatMap(read -> read);
    }

    private static Optional<LastUpgrade> read(Fields fields) {
        Optional<Outcome> outcome = fields.choice("outcome", Outcome.WORDS);
        Optional<UpgradeMode> mode = fields.choice("upgradeMode", UpgradeMode.WORDS);
        Optional<Instant> running = fields.string("runningTime").flatMap(StatusJson::instant);
        return fields.string("stopRequestedTime")
                .flatMap(StatusJson::instant)
                .filter(_ -> outcome.isPresent() && mode.isPresent() && running.isPresent())
                .map(
                        stopped ->
                                new LastUpgrade(
                                        outcome.orElseThrow(),
                                        mode.orElseThrow(),
                                        stopped,
                                        running.orElseThrow()));
    }

    static void writeOnto(ObjectNode status, Optional<LastUpgrade> last) {
        last.ifPresentOrElse(
                it -> it.writeTo(StatusJson.objectAt(status, "lastUpgrade")),
                () -> status.remove("lastUpgrade"));
    }

    private void writeTo(ObjectNode node) {
        node.put("outcome", outcome.wire())
                .put("upgradeMode", mode.wire())
                .put("stopRequestedTime", stopRequested.toString())
                .put("runningTime", running.toString())
                .put("downtime", text(downtime()));
    }

    /** A time for people, to a tenth of a second: {@code 31.2 s}, {@code 5 min 31.2 s}. */
    public static String text(Duration time) {
        long tenths = time.plusMillis(50).toMillis() / 100;
        long minutes = tenths / 600;
        long rest = tenths % 600;
        String seconds = rest / 10 + "." + rest % 10 + " s";
        if (minutes == 0) {
            return seconds;
        }
        return minutes < 60
                ? minutes + " min " + seconds
                : minutes / 60 + " h " + minutes % 60 + " min " + seconds;
    }
}
