// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobState;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.simulation.SimulatedOperator.Replica;
import io.sluice.operator.simulation.flaw.Flaws;
import io.sluice.operator.simulation.flaw.LeadershipFlaws;
import io.sluice.testkit.sim.FlinkStorage;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import io.sluice.testkit.sim.World.Written;
import java.util.Set;
import java.util.function.Supplier;

/** Where the simulated operator stores the status of its resource, and what a flaw makes of it. */
final class SimulatedStatusStore {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final World world;
    private final Set<Flaws> flaws;
    private final SimulatedLeadership leadership;
    private final Supplier<Replica> process;
    private final SimulatedConsent consent;
    private final SimulatedPromises promises;
    private final SimulatedSavings savings;
    private int writes;

    /**
     * @param process the one whose pass is under way
     */
    SimulatedStatusStore(
            World world,
            Set<Flaws> flaws,
            SimulatedLeadership leadership,
            Supplier<Replica> process,
            SimulatedConsent consent,
            SimulatedPromises promises,
            SimulatedSavings savings) {
        this.world = world;
        this.flaws = flaws;
        this.leadership = leadership;
        this.process = process;
        this.consent = consent;
        this.promises = promises;
        this.savings = savings;
    }

    /** How often a status was written that is another one than before. */
    int writes() {
        return writes;
    }

    /** Whether it is kept: a conflict is none. */
    boolean save(Resource read, ObjectNode decided) {
        ObjectNode status = decided;
        if (flaws.contains(Flaws.PATH_NOT_RECORDED)
                && status.get("jobStatus") instanceof ObjectNode job) {
            job.remove("upgradeSavepointPath");
        }
        if (flaws.contains(Flaws.EXCEPTIONS_NOT_RECORDED)
                && status.get("jobStatus") instanceof ObjectNode job) {
            job.remove("lastExceptionTimestamp");
        }
        if (flaws.contains(Flaws.ROLLBACK_NOT_REMEMBERED)
                && status.at("/reconciliationStatus/state").asText().equals("ROLLED_BACK")) {
            status.withObject("/reconciliationStatus").put("state", "DEPLOYED");
            status.withObject("/attempt").remove("rolledBack");
        }
        return store(read, status);
    }

    private boolean store(Resource read, ObjectNode status) {
        leadership.pause();
        Written written =
                world.environment()
                        .faults()
                        .effect(
                                "save status " + status.at("/conditions/1/reason").asText(),
                                () -> replace(read, status));
        if (written == Written.DONE && !Reconciliation.isSame(status, read.status())) {
            if (Boolean.getBoolean("sim.statuses")) {
                world.environment().trace().add("        " + status);
            }
            world.environment().trace().digest(status.toString());
            writes++;
            savings.stored(read.status(), status, process.get().observer.sawJobUp());
        }
        return written == Written.DONE;
    }

    /** What the user agreed to holds from then on, though the operator should never hear of it. */
    private Written replace(Resource read, ObjectNode status) {
        boolean agrees = consent.isToBeRedeployed(read);
        Resource base =
                leadership.has(LeadershipFlaws.STATUS_WITHOUT_VERSION)
                        ? world.resource().latest().orElse(read)
                        : read;
        Written written = process.get().own(world.replaceStatus(base, asStored(status)));
        if (written == Written.DONE && agrees) {
            consent.storedRedeployment(read, status);
        }
        if (written == Written.DONE) {
            promises.checkStable(status);
            promises.checkDowntime(base.status(), status);
            consent.stored(read, base.status(), status);
            noteSeen(base.status(), status);
            promises.recorded(status);
        }
        return written;
    }

    /**
     * Once an attempt's job is on record as seen, what becomes of its state is known; once its end
     * is, or another attempt in its place, it is over.
     */
    private void noteSeen(ObjectNode before, ObjectNode status) {
        FlinkStorage storage = world.cluster().storage();
        String attempt = status.at("/attempt/id").asText();
        String former = before.at("/attempt/id").asText();
        if (!status.at("/jobStatus/startTime").isMissingNode()) {
            storage.observe(attempt);
        }
        if (FlinkDeploymentStatus.of(status)
                .jobStatus()
                .state()
                .filter(JobState::isTerminal)
                .isPresent()) {
            storage.settle(attempt);
        }
        if (!former.equals(attempt)) {
            storage.settle(former);
        }
    }

    private static ObjectNode asStored(ObjectNode status) {
        try {
            return (ObjectNode) JSON.readTree(status.toString());
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
