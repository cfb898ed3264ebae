// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkBlueGreenDeployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WayBackTest {
    @ParameterizedTest
    @ValueSource(strings = {"Preparing", "Saving", "Starting", "Proving", "Approval"})
    void untilThePromotionItIsTheSpecOfTheActiveHalf(String phase) {
        WayBack.Edit edit = edit(Pairs.resource(phase));

        assertThat(edit.template()).isEqualTo(Pairs.template(1));
        assertThat(edit.changes()).containsExactly("spec.image: flink:2 -> flink:1");
        assertThat(edit.consequences())
                .anyMatch(each -> each.contains("orders-green") && each.contains(phase))
                .contains("orders-blue goes on, and is not restarted.")
                .anyMatch(each -> each.startsWith("The edit is dropped: generation 7"));
    }

    @ParameterizedTest
    @CsvSource({
        "First, there is none to go back to",
        "InPlace, apply the former spec to change it back",
        "Retiring, is promoted already",
        "Removing, there is no way back",
        "Aborting, is being aborted already",
        "Resuming, is being aborted already",
    })
    void inOtherPhasesItIsRefused(String phase, String why) {
        assertThat(refusal(Pairs.resource(phase))).contains(why);
    }

    @Test
    void afterAFailedTransitionItDropsTheEdit() {
        WayBack.Edit edit = edit(Pairs.resource("Ended"));

        assertThat(edit.template()).isEqualTo(Pairs.template(1));
        assertThat(edit.consequences()).contains("No transition is in progress.");
    }

    @Test
    void thereIsNothingToDropAtRest() {
        assertThat(refusal(Pairs.atRest(Pairs.template(1))))
                .contains("no transition is in progress");
    }

    @Test
    void anEditBackThatWasMadeBeforeIsTold() {
        FlinkBlueGreenDeployment back = Pairs.resource("Starting");
        back.getSpec().set("template", Pairs.template(1));

        assertThat(WayBack.of(Pair.of(back))).isInstanceOf(WayBack.Done.class);
    }

    /** The operator carries such an edit out after the transition, which goes on. */
    @Test
    void anEditBackForWhichTheOperatorEndsNothingIsRefused() {
        FlinkBlueGreenDeployment labelled = Pairs.resource("Starting");
        ObjectNode wish = Pairs.template(1);
        wish.withObject("/metadata/labels").put("team", "shop");
        labelled.getSpec().set("template", wish);
        labelled.getStatus().put("lastReconciledSpec", Pairs.encoded(wish));

        assertThat(refusal(labelled)).contains("change in place", "restartNonce");
    }

    @Test
    void aStoppedHalfIsResumed() {
        FlinkBlueGreenDeployment stopped = Pairs.resource("Starting");
        stopped.getStatus().withObject("/transition").put("handover", "stop-first");

        assertThat(edit(stopped).consequences())
                .anyMatch(each -> each.startsWith("orders-blue is resumed from its savepoint"));
    }

    @Test
    void otherManagersOfTheTemplateAreNamed() {
        WayBack.Edit edit =
                edit(
                        Pairs.managed(
                                Pairs.resource("Starting"),
                                "kubectl-client-side-apply",
                                "argocd-controller"));

        assertThat(edit.consequences())
                .filteredOn(each -> each.contains("managedFields"))
                .singleElement()
                .asString()
                .startsWith("'argocd-controller' sets fields of spec.template");
    }

    @Test
    void whatTheApacheOperatorLeftIsNotGuessed() {
        FlinkBlueGreenDeployment left = Pairs.resource("Starting");
        left.getStatus().remove("conditions");

        assertThat(refusal(left)).contains("Sluice's operator has not written the status yet");
    }

    @Test
    void aSpecThatCannotBeReadIsNotGuessed() {
        FlinkBlueGreenDeployment broken = Pairs.resource("Starting");
        broken.getStatus().put("activeSpec", "{\u001b");

        assertThat(refusal(broken)).contains("does not say which spec the active half has");
    }

    @Test
    void secretsAreHiddenInTheDifference() {
        ObjectNode wish = Pairs.template(1);
        wish.withObject("/spec/flinkConfiguration").put("s3.secret-key", "hunter2\u001b");

        FlinkBlueGreenDeployment secret = Pairs.resource("Starting");
        secret.getSpec().set("template", wish);
        secret.getStatus().put("lastReconciledSpec", Pairs.encoded(wish));

        assertThat(edit(secret).changes())
                .singleElement()
                .asString()
                .startsWith("spec.flinkConfiguration.s3.secret-key: ")
                .doesNotContain("hunter2");
    }

    private static WayBack.Edit edit(FlinkBlueGreenDeployment pair) {
        assertThat(WayBack.of(Pair.of(pair))).isInstanceOf(WayBack.Edit.class);
        return (WayBack.Edit) WayBack.of(Pair.of(pair));
    }

    private static String refusal(FlinkBlueGreenDeployment pair) {
        assertThat(WayBack.of(Pair.of(pair))).isInstanceOf(WayBack.Refused.class);
        return ((WayBack.Refused) WayBack.of(Pair.of(pair))).why();
    }
}
