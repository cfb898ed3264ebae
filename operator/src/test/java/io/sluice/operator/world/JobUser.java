// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.world;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.testkit.sim.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The user of one resource with a job, and what the user has asked for so far. */
public final class JobUser {
    private static final List<String> MODES = List.of("savepoint", "last-state", "stateless");

    private final Dice dice;
    private final DurableStates states;
    private final Consumer<ObjectNode> write;

    /** All that the user of this resource has asked for so far. */
    private final List<ObjectNode> written = new ArrayList<>();

    private ObjectNode spec = JsonNodeFactory.instance.objectNode();
    private ObjectNode before = spec;
    private int versions;
    private int nonces;

    /**
     * @param write what the resource's spec becomes
     */
    public JobUser(Dice dice, DurableStates states, Consumer<ObjectNode> write) {
        this.dice = dice;
        this.states = states;
        this.write = write;
    }

    /** What the user wants now. */
    public ObjectNode spec() {
        return spec;
    }

    public List<ObjectNode> written() {
        return List.copyOf(written);
    }

    /** A new resource. */
    public void begins(ObjectNode first) {
        spec = first;
        before = first;
        written.clear();
        written.add(first);
    }

    public String anyMode() {
        return dice.pick(MODES);
    }

    /** Whether a new job has checkpoints, which stay, and what else it has of state. */
    public void chooseState(ObjectNode made) {
        ObjectNode options = made.withObject("/flinkConfiguration");
        if (made.at("/job/upgradeMode").asText().equals("last-state") || dice.chance(80)) {
            options.put("execution.checkpointing.interval", "10 s");
        }
        if (dice.chance(50)) {
            options.put(
                    "execution.checkpointing.externalized-checkpoint-retention",
                    dice.chance(50) ? "RETAIN_ON_CANCELLATION" : "DELETE_ON_CANCELLATION");
        }
        if (dice.chance(30)) {
            options.put("kubernetes.operator.job.savepoint-on-deletion", "true");
        }
        if (!states.paths().isEmpty() && dice.chance(30)) {
            made.withObject("/job").put("initialSavepointPath", dice.pick(states.paths()));
        }
    }

    public void edit(Consumer<ObjectNode> change) {
        ObjectNode next = spec.deepCopy();
        change.accept(next);
        edit(next);
    }

    private void edit(ObjectNode next) {
        if (!next.equals(spec)) {
            before = spec;
            spec = next;
            written.add(next);
            write.accept(next);
        }
    }

    public void editBack() {
        edit(before);
    }

    /** How many versions of the job there are. */
    public int versions() {
        return versions;
    }

    /** A number that no version of the job has had. */
    public int newVersion() {
        return ++versions;
    }

    public void changeArguments() {
        changeArguments("v");
    }

    /** Another version of the job, whose arguments begin with {@code kind}. */
    public void changeArguments(String kind) {
        String argument = kind + newVersion();
        edit(it -> it.withObject("/job").putArray("args").add(argument));
    }

    /** Goes back to a spec that was written before, with its nonces. */
    public void goBackTo(ObjectNode former) {
        edit(former.deepCopy());
    }

    public void changeState(String state) {
        edit(it -> it.withObject("/job").put("state", state));
    }

    public void askForSavepoint() {
        edit(it -> it.withObject("/job").put("savepointTriggerNonce", ++nonces));
    }

    public void changeMode() {
        edit(it -> it.withObject("/job").put("upgradeMode", anyMode()));
    }

    public void askForRestart() {
        edit(it -> it.put("restartNonce", ++nonces));
    }

    /** From anything there is; sometimes without the nonce, which is to change nothing. */
    public void redeploy() {
        List<String> paths = states.paths();
        if (!paths.isEmpty()) {
            edit(this::redeploy);
        }
    }

    private void redeploy(ObjectNode next) {
        ObjectNode job =
                next.withObject("/job").put("initialSavepointPath", dice.pick(states.paths()));
        if (dice.chance(80)) {
            job.put("savepointRedeployNonce", ++nonces);
        }
    }
}
