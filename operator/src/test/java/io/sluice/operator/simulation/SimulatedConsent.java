// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.JobSpec;
import io.sluice.manifest.ClusterPlan;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.sim.FlinkProcess;
import io.sluice.testkit.sim.Launch;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What the user of a simulated FlinkDeployment has agreed to lose or to replace, by specs that the
 * operator has on record.
 */
final class SimulatedConsent {
    private static final String LAST_SPEC = "/reconciliationStatus/lastReconciledSpec";
    private static final String START_TIME = "/jobStatus/startTime";

    private final World world;
    private final SimulatedRedeployments redeployments;
    private Optional<Long> redeployed = Optional.empty();
    private String redeployedBy = "";

    /** Attempts that the user's own word lets begin from nothing. */
    private final Set<String> fresh = new HashSet<>();

    SimulatedConsent(World world) {
        this.world = world;
        redeployments = new SimulatedRedeployments(world.cluster().storage());
    }

    /** The user names another state to go on from. */
    boolean isToBeRedeployed(Resource resource) {
        var nonce = resource.spec().at("/job/savepointRedeployNonce");
        return !nonce.isMissingNode() && !redeployed.equals(Optional.of(nonce.asLong()));
    }

    /** {@code status} is stored for a spec that asks for another state than the job's own. */
    void storedRedeployment(Resource read, ObjectNode status) {
        redeployments.stored(read, status);
    }

    /** {@code status} is stored in place of the one {@code before}. */
    void stored(Resource read, ObjectNode before, ObjectNode status) {
        agree(read, before, status);
        agreeToAnotherRun(read, before, status);
        forgetNonce(read, status);
    }

    /**
     * The user's own word, not what is on record of it: an attempt, or a rest, that is begun while
     * the user asks for a stateless job, be it in a broken spec, may go without the state that was
     * there.
     */
    private void agree(Resource read, ObjectNode before, ObjectNode status) {
        String attempt = status.at("/attempt/id").asText();
        boolean begins = !attempt.isEmpty() && !attempt.equals(before.at("/attempt/id").asText());
        boolean rests =
                Specs.isSuspended(read)
                        && !status.at(LAST_SPEC).equals(before.at(LAST_SPEC))
                        && status.at(LAST_SPEC).asText().contains("\"state\":\"suspended\"");
        boolean wantsNoState = !Specs.isStateful(read);
        boolean isYetToBegin =
                !attempt.isEmpty()
                        && !world.cluster().storage().hasBegun(attempt)
                        && !status.at(LAST_SPEC).equals(before.at(LAST_SPEC));
        if (wantsNoState && (begins || rests || isYetToBegin)) {
            if (begins) {
                world.cluster().storage().renounce(before.at("/attempt/id").asText());
            } else {
                world.cluster().storage().renounce();
            }
            fresh.add(attempt);
        }
    }

    /** A stateless job that a JobManager begins anew is all that its user asks for. */
    private void agreeToAnotherRun(Resource read, ObjectNode before, ObjectNode status) {
        boolean isSameAttempt = status.at("/attempt/id").equals(before.at("/attempt/id"));
        boolean isAnotherRun = !status.at(START_TIME).equals(before.at(START_TIME));
        if (!Specs.isStateful(read) && isSameAttempt && isAnotherRun) {
            world.cluster().answering().ifPresent(FlinkProcess::acceptLoss);
        }
    }

    /** A nonce that the user took back, and that is off the record, may be asked for again. */
    private void forgetNonce(Resource read, ObjectNode status) {
        boolean isTakenBack =
                !Specs.isBroken(read)
                        && !read.spec().path("job").has("savepointRedeployNonce")
                        && !status.at(LAST_SPEC).asText().contains("savepointRedeployNonce");
        if (isTakenBack) {
            redeployed = Optional.empty();
        }
    }

    /** Whether the attempt of {@code plan} may go on from {@code path} without the job's state. */
    boolean allows(ClusterPlan plan, Optional<String> path) {
        Optional<Long> nonce = plan.spec().job().flatMap(JobSpec::savepointRedeployNonce);
        boolean asked =
                nonce.isPresent()
                        && (!nonce.equals(redeployed) || plan.attempt().equals(redeployedBy))
                        && path.equals(plan.spec().job().flatMap(JobSpec::initialSavepointPath));
        return fresh.contains(plan.attempt()) || asked || redeployments.allow(plan.attempt(), path);
    }

    /** The cluster of {@code plan} is created: what the user asked for once is done. */
    void created(ClusterPlan plan, Launch launch) {
        redeployedBy = launch.mayLoseState() ? plan.attempt() : redeployedBy;
        redeployed =
                plan.spec().job().flatMap(JobSpec::savepointRedeployNonce).or(() -> redeployed);
    }
}
