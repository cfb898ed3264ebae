// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.sluice.autoscaler.collect.EngineOptions;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.JobOptions;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.autoscaler.decide.EngineEvent;
import io.sluice.autoscaler.decide.EngineJob;
import io.sluice.autoscaler.explain.HourlyHistory;
import io.sluice.autoscaler.govern.GovernorState;
import io.sluice.autoscaler.govern.HoldReason;
import io.sluice.autoscaler.govern.ScalePlan;
import io.sluice.autoscaler.history.History;
import io.sluice.autoscaler.publish.Loaded;
import io.sluice.autoscaler.publish.Stored;
import io.sluice.autoscaler.state.Discarded;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scaler of one job and the ConfigMap behind it: read once, written when a cycle changed
 * something. Samples, and what the governor adds up with each look, are written now and then only:
 * they would cost a write each cycle, and losing the last few delays nothing. After any failure
 * both are in doubt, so the ConfigMap is read again.
 */
final class JobMemory {
    /** The nonce that was last acted on. */
    static final String RESET_NONCE = "governorResetNonce";

    /** The last weeks by the hour. */
    private static final String HOURS = "governorHours";

    /** The hold that users are told of. The operator makes a condition of this entry. */
    private static final String HOLD = "governorHold";

    private static final String NO_NONCE = "none";

    private static final Logger LOG = LoggerFactory.getLogger(JobMemory.class);
    private static final Duration SAMPLES = Duration.ofMinutes(2);

    private final JobKey key;
    private final CycleDependencies world;
    private JobScaler scaler;
    private HourlyHistory hours = new HourlyHistory();
    private HoldNotice notice = HoldNotice.NONE;
    private long balancedBefore;
    private Optional<Stored> stored = Optional.empty();
    private Optional<String> resetNonce = Optional.empty();
    private Instant saved = Instant.EPOCH;

    /**
     * Whether an entry tells of the job's load and rescales. It stays while the autoscaler is
     * switched off for the job.
     */
    static boolean isHistory(String entry) {
        return entry.equals(HOURS) || entry.equals(RESET_NONCE) || GovernorState.isHistory(entry);
    }

    JobMemory(JobKey key, CycleDependencies world) {
        this.key = key;
        this.world = world;
        scaler = new JobScaler(world.engines().create());
    }

    /**
     * A changed nonce is the user's wish to start from nothing. It is compared with the one that is
     * stored, so that no failure, restart or change of owner loses it; where none ever was, the
     * first one is taken as it is. Returns what of the stored state is not used.
     */
    List<Discarded> recall(Optional<Long> nonce, Instant now) {
        List<Discarded> discarded = stored.isEmpty() ? load(now) : List.of();
        String asked = nonce.map(Object::toString).orElse(NO_NONCE);
        if (!resetNonce.orElse(asked).equals(asked)) {
            LOG.atInfo().addKeyValue("job", key.path()).log("state reset as asked for");
            notice = HoldNotice.NONE;
            replacePilot();
            save(now, asked);
        }
        resetNonce = Optional.of(asked);
        return discarded;
    }

    /**
     * Stores for a half of a blue/green pair what is known of the former half, before its job runs:
     * the ConfigMap of the former half is deleted with that. Without effect on anything else.
     * Returns what of the stored state is not used.
     */
    List<Discarded> takeOver(Instant now) {
        return stored.isEmpty() && !ofFormerHalf().isEmpty() ? load(now) : List.of();
    }

    private List<Discarded> load(Instant now) {
        Loaded found = world.states().load(key);
        Map<String, String> former = found.data().isEmpty() ? ofFormerHalf() : Map.of();
        Map<String, String> data = former.isEmpty() ? found.data() : former;
        List<Discarded> discarded = scaler.engine().load(data);
        scaler.recall(GovernorState.read(data, now));
        hours = HourlyHistory.read(data.getOrDefault(HOURS, ""), now);
        notice = notice.knowing(HoldNotice.read(data.getOrDefault(HOLD, "")));
        resetNonce = Optional.ofNullable(data.get(RESET_NONCE)).or(() -> resetNonce);
        stored = Optional.of(found.stored());
        if (!former.isEmpty()) {
            // Flink counts the records of each job from 0, and both jobs may run at once.
            scaler.engine().forgetSamples();
            save(now);
            LOG.atInfo().addKeyValue("job", key.path()).log("goes on from the former half");
        }
        return discarded;
    }

    /** What holds a change of the former half back does not hold this one. */
    private Map<String, String> ofFormerHalf() {
        Map<String, String> data = new TreeMap<>();
        world.pairs()
                .formerHalf(key)
                .ifPresent(former -> data.putAll(world.states().load(former).data()));
        data.putAll(world.pairs().startOverrides(key));
        data.remove(HOLD);
        return data;
    }

    CycleResult look(Subject.Scalable subject, CycleContext at) throws Exception {
        return world.engineClients()
                .callAt(
                        world.jobManagerOf(key, subject),
                        EngineOptions.answer(new JobOptions(subject.options())),
                        client ->
                                scaler.look(
                                        new EngineJob(
                                                key,
                                                subject.jobId(),
                                                EngineOptions.of(subject.options()),
                                                () -> client),
                                        at));
    }

    SortedMap<String, Integer> overrides() {
        return scaler.engine().overrides();
    }

    History history() {
        return scaler.history();
    }

    HourlyHistory hours() {
        return hours;
    }

    long balanced() {
        return balancedBefore + scaler.engine().balanced();
    }

    /** Publishes; returns what to tell of it. */
    EngineEvent apply(ScalePlan.Apply plan, Instant now) {
        EngineEvent report = scaler.apply(plan, now);
        notice = HoldNotice.NONE;
        save(now);
        return report;
    }

    /** What was decided is not carried out after all. */
    void reject() {
        scaler.engine().reject();
    }

    /** Nothing is held, and nothing is published. */
    void free(Instant now) {
        notice = notice.free(world.uptime().instant());
        hold(now);
    }

    /**
     * Nothing is published, because a change is held. Returns what is to be told of it, once.
     *
     * @param scaling the change, for people
     */
    Optional<HoldNotice.Told> hold(HoldReason reason, String scaling, Instant now) {
        HoldNotice before = notice;
        notice = notice.held(reason, scaling, world.uptime().instant());
        hold(now);
        return notice.newsSince(before);
    }

    /** Nothing is published. */
    void hold(Instant now) {
        if (!now.isBefore(saved.plus(SAMPLES)) || now.isBefore(saved)) {
            save(now);
        }
    }

    void forget() {
        replacePilot();
        stored = Optional.empty();
    }

    private void save(Instant now) {
        save(now, resetNonce.orElse(NO_NONCE));
    }

    private void save(Instant now, String nonce) {
        SortedMap<String, String> data = new TreeMap<>(scaler.engine().text());
        data.put(RESET_NONCE, nonce);
        data.putAll(scaler.governorState().text(now));
        hours.text().ifPresent(weeks -> data.put(HOURS, weeks));
        notice.text().ifPresent(hold -> data.put(HOLD, hold));
        Stored before = stored.orElse(Stored.NOTHING);
        if (!before.holds(data)) {
            stored = Optional.of(world.states().save(key, data, before));
        }
        saved = now;
    }

    private void replacePilot() {
        balancedBefore = balanced();
        scaler = new JobScaler(world.engines().create());
    }
}
