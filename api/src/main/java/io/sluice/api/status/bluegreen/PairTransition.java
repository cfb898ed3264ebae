// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code status.transition}, Sluice's own: the transition in progress, or the last one.
 *
 * @param id what the halves that it makes or changes are annotated with
 * @param from the active half; empty for the first one
 * @param to the half that gets the new spec
 * @param generation of the resource, whose spec is carried out
 * @param began when it began
 * @param since when the present phase began
 * @param deadline when the present phase ends at the latest; empty if nothing is waited for
 * @param spec as {@code status.lastReconciledSpec}, until it is recorded there
 * @param savepoint what the other half starts from; empty if it needs none, or none was asked for
 * @param approvalSince since when somebody is asked to approve
 * @param promotedAt when the other half became the active one
 * @param formerUid of the FlinkDeployment that is to be deleted
 * @param outcome what came of it; also of one that is being aborted
 * @param message why it was aborted or has failed
 * @param checkedAt when the analysis last looked at the other half; empty before the first look
 * @param checks what came of that look
 */
@RecordBuilder
public record PairTransition(
        String id,
        Optional<HalfColor> from,
        HalfColor to,
        long generation,
        Handover handover,
        StartState startFrom,
        TransitionPhase phase,
        Instant began,
        Instant since,
        Optional<Instant> deadline,
        Optional<String> spec,
        Optional<TransitionSavepoint> savepoint,
        Optional<Instant> approvalSince,
        Optional<Instant> promotedAt,
        Optional<String> formerUid,
        Optional<TransitionOutcome> outcome,
        Optional<String> message,
        Optional<Instant> checkedAt,
        List<TransitionCheck> checks)
        implements PairTransitionBuilder.With {
    public PairTransition {
        checks = List.copyOf(checks);
    }

    /** Whether nothing of it is left to do. */
    public boolean isOver() {
        return phase == TransitionPhase.ENDED;
    }

    /**
     * Whether the phase is one in which a half replaces the other one, or in which that is aborted.
     */
    boolean isBetweenHalves() {
        return switch (phase) {
            case PREPARING,
                    SAVING,
                    STARTING,
                    PROVING,
                    APPROVAL,
                    RETIRING,
                    REMOVING,
                    ABORTING,
                    RESUMING ->
                    true;
            case FIRST, IN_PLACE, ENDED -> false;
        };
    }

    static PairTransition read(Fields fields) {
        return new PairTransition(
                fields.string("id").orElse(""),
                fields.choice("from", HalfColor.WORDS),
                fields.choice("to", HalfColor.WORDS).orElse(HalfColor.BLUE),
                fields.int64("generation").orElse(0L),
                fields.choice("handover", Handover.WORDS).orElse(Handover.OVERLAP),
                fields.choice("startFrom", StartState.WORDS).orElse(StartState.SAVEPOINT),
                fields.choice("phase", TransitionPhase.WORDS).orElse(TransitionPhase.ENDED),
                time(fields, "began").orElse(Instant.EPOCH),
                time(fields, "since").orElse(Instant.EPOCH),
                time(fields, "deadline"),
                fields.string("spec"),
                fields.object("savepoint", TransitionSavepoint::read),
                time(fields, "approvalSince"),
                time(fields, "promotedAt"),
                fields.string("formerUid"),
                fields.choice("outcome", TransitionOutcome.WORDS),
                fields.string("message"),
                time(fields, "checkedAt"),
                fields.objects("checks").stream().map(TransitionCheck::read).toList());
    }

    void writeTo(ObjectNode node) {
        node.put("id", id);
        StatusJson.put(node, "from", from.map(HalfColor::wire));
        node.put("to", to.wire())
                .put("generation", generation)
                .put("handover", handover.wire())
                .put("startFrom", startFrom.wire())
                .put("phase", phase.wire())
                .put("began", began.toString())
                .put("since", since.toString());
        StatusJson.put(node, "deadline", deadline.map(Instant::toString));
        StatusJson.put(node, "spec", spec);
        savepoint.ifPresent(it -> it.writeTo(node.putObject("savepoint")));
        StatusJson.put(node, "approvalSince", approvalSince.map(Instant::toString));
        StatusJson.put(node, "promotedAt", promotedAt.map(Instant::toString));
        StatusJson.put(node, "formerUid", formerUid);
        StatusJson.put(node, "outcome", outcome.map(TransitionOutcome::wire));
        StatusJson.put(node, "message", message);
        StatusJson.put(node, "checkedAt", checkedAt.map(Instant::toString));
        if (!checks.isEmpty()) {
            ArrayNode written = node.putArray("checks");
            checks.forEach(check -> check.writeTo(written.addObject()));
        }
    }

    private static Optional<Instant> time(Fields fields, String name) {
        return fields.string(name).flatMap(StatusJson::instant);
    }
}
