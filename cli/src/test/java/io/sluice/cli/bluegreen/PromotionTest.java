// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.FlinkBlueGreenDeployment;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PromotionTest {
    @ParameterizedTest
    @ValueSource(strings = {"Preparing", "Saving", "Starting", "Proving", "Approval"})
    void aTransitionMayBeApprovedOfBeforeItIsPromoted(String phase) {
        assertThat(Promotion.of(Pairs.in(phase)))
                .isInstanceOfSatisfying(
                        Promotion.Approve.class,
                        approve -> assertThat(approve.generation()).isEqualTo(7));
    }

    @Test
    void whatComesOfItDependsOnThePhase() {
        assertThat(Promotion.of(Pairs.in("Approval")).toString())
                .contains("The half green waited for that, and is promoted.");
        assertThat(Promotion.of(Pairs.in("Proving")).toString())
                .contains("is promoted once it has proven itself; it is in the phase Proving");
    }

    @ParameterizedTest
    @ValueSource(strings = {"First", "InPlace", "Retiring", "Removing", "Aborting", "Resuming"})
    void otherwiseThereIsNothingToApproveOf(String phase) {
        assertThat(Promotion.of(Pairs.in(phase))).isInstanceOf(Promotion.Refused.class);
    }

    @Test
    void withoutATransitionThereIsNothingToApproveOf() {
        assertThat(refusal(Pairs.resource("Ended"))).contains("no transition is in progress");
    }

    @Test
    void anApprovalIsNotForWhatWasEditedSince() {
        FlinkBlueGreenDeployment edited = Pairs.resource("Approval");
        edited.getSpec().set("template", Pairs.template(3));
        edited.getMetadata().setGeneration(8L);

        assertThat(refusal(edited))
                .contains("spec.template was edited since (generation 8)", "run the command again");
    }

    @Test
    void anEditForWhichTheTransitionGoesOnDoesNotVoidIt() {
        FlinkBlueGreenDeployment edited = Pairs.resource("Approval");
        edited.getSpec().withObject("/template/metadata/labels").put("team", "shop");
        edited.getMetadata().setGeneration(8L);

        assertThat(Promotion.of(Pair.of(edited)))
                .isInstanceOfSatisfying(
                        Promotion.Approve.class,
                        approve -> assertThat(approve.generation()).isEqualTo(7));
    }

    @Test
    void aSecondApprovalChangesNothing() {
        FlinkBlueGreenDeployment approved = Pairs.resource("Proving");
        approved.getMetadata().setAnnotations(Map.of("sluice.io/promote", "7"));

        assertThat(Promotion.of(Pair.of(approved))).isInstanceOf(Promotion.Done.class);
    }

    @Test
    void whatIsPromotedByItselfNeedsNoApproval() {
        FlinkBlueGreenDeployment automatic = Pairs.resource("Proving");
        automatic.getSpec().putObject("configuration");

        assertThat(refusal(automatic))
                .contains("kubernetes.operator.bluegreen.promotion is not manual");
    }

    private static String refusal(FlinkBlueGreenDeployment pair) {
        return ((Promotion.Refused) Promotion.of(Pair.of(pair))).why();
    }
}
