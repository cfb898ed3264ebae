// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.sluice.cli.document.Document;
import io.sluice.cli.lint.Lint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTest {
    @Test
    void aNewVersionIsATransitionThatTakesASecondHalf() {
        Plan plan = plan(pair(Pairs.template(2)), live(Pairs.template(1)));

        assertThat(plan.what().getFirst())
                .isEqualTo(
                        "It starts a transition to the other half from a savepoint of the active"
                                + " one: spec.image");
        assertThat(plan.what())
                .anyMatch(each -> each.contains("both halves process the records"))
                .anyMatch(
                        each ->
                                each.contains(
                                        "5.0 more cores and 10.0 GiB more memory, for up to"
                                                + " 12 min"));
        assertThat(plan.changes()).containsExactly("spec.image: flink:1 -> flink:2");
        assertThat(plan.needsRoom()).isTrue();
    }

    @Test
    void withStopFirstNothingIsProcessedTwiceAndNoRoomIsNeeded() {
        Document pair = pair(Pairs.template(2));
        pair.content()
                .withObject("/spec/configuration")
                .put("kubernetes.operator.bluegreen.handover", "stop-first");

        Plan plan = plan(pair, live(Pairs.template(1)));

        assertThat(plan.what()).anyMatch(each -> each.contains("no record is processed twice"));
        assertThat(plan.what()).noneMatch(each -> each.contains("more cores"));
        assertThat(plan.needsRoom()).isFalse();
    }

    @Test
    void aSuspensionIsInPlace() {
        ObjectNode suspended = Pairs.template(1);
        suspended.withObject("/spec/job").put("state", "suspended");

        Plan plan = plan(pair(suspended), live(Pairs.template(1)));

        assertThat(plan.what())
                .singleElement()
                .asString()
                .startsWith("It suspends the active half, without a transition");
        assertThat(plan.needsRoom()).isFalse();
    }

    @Test
    void theSameTemplateChangesNothing() {
        Plan plan = plan(pair(Pairs.template(1)), live(Pairs.template(1)));

        assertThat(plan.what()).containsExactly("It changes nothing that runs.");
        assertThat(plan.changes()).isEmpty();
    }

    @Test
    void aNewPairHasNothingBesideIt() {
        Plan plan = plan(pair(Pairs.template(1)), new PlanSubject.New());

        assertThat(plan.what().getFirst())
                .isEqualTo("It creates the first half; nothing runs beside it.");
        assertThat(plan.needsRoom()).isFalse();
    }

    @Test
    void anotherFileIsComparedLikeACluster() {
        Plan live = plan(pair(Pairs.template(2)), live(Pairs.template(1)));

        assertThat(plan(pair(Pairs.template(2)), new PlanSubject.InFile(pair(Pairs.template(1)))))
                .isEqualTo(live);
    }

    @ParameterizedTest
    @CsvSource({
        "Starting, the edit ends it",
        "Approval, the edit ends it",
        "Retiring, it is finished first",
        "InPlace, that half gets the edit",
    })
    void whatIsInProgressIsTold(String phase, String text) {
        Plan plan = plan(pair(Pairs.template(3)), new PlanSubject.Live(Pairs.in(phase)));

        assertThat(plan.what())
                .anyMatch(each -> each.contains("in the phase " + phase) && each.contains(text));
    }

    @Test
    void onceAHalfIsPromotedItsSpecCounts() {
        assertThat(plan(pair(Pairs.template(2)), new PlanSubject.Live(Pairs.in("Retiring"))).what())
                .contains("It changes nothing that runs.");
        assertThat(plan(pair(Pairs.template(1)), new PlanSubject.Live(Pairs.in("Proving"))).what())
                .as("an edit back, which ends the transition")
                .contains("It changes nothing that runs.")
                .anyMatch(each -> each.contains("the edit ends it"));
    }

    @Test
    void aQuotaWithoutRoomIsNamed() {
        PlanRoom room = room(Optional.of(List.of(quota("limits.cpu", "2"), quota("pods", "9"))));

        assertThat(room.isEnough()).isFalse();
        assertThat(room.text())
                .contains("does not begin before there is room", "ResourceQuota 'team' leaves 2");
        assertThat(room(Optional.of(List.of(quota("pods", "9")))).isEnough()).isTrue();
    }

    @Test
    void quotasThatCannotBeListedAreNotCompared() {
        assertThat(room(Optional.empty()).text()).contains("no right to list resourcequotas");
    }

    private static PlanRoom room(Optional<List<ResourceQuota>> quotas) {
        return PlanRoom.of(Pairs.template(1), "shop", quotas, Lint.OF_CHART);
    }

    private static ResourceQuota quota(String resource, String hard) {
        return new ResourceQuotaBuilder()
                .withNewMetadata()
                .withName("team")
                .endMetadata()
                .withNewStatus()
                .withHard(Map.of(resource, new Quantity(hard)))
                .withUsed(Map.of())
                .endStatus()
                .build();
    }

    private static Plan plan(Document document, PlanSubject subject) {
        return Plan.of(document, "shop", subject, Lint.OF_CHART);
    }

    private static PlanSubject live(ObjectNode active) {
        return new PlanSubject.Live(Pair.of(Pairs.atRest(active)));
    }

    private static Document pair(ObjectNode template) {
        ObjectNode content =
                Pairs.json(
                        """
                        {"apiVersion":"flink.apache.org/v1beta1","kind":"FlinkBlueGreenDeployment",
                         "metadata":{"name":"orders","namespace":"shop"},
                         "spec":{"configuration":{
                          "kubernetes.operator.bluegreen.deployment-deletion.delay":"2 min"}}}
                        """);
        content.withObject("/spec").set("template", template);
        return Document.of("pair.yaml", content);
    }
}
