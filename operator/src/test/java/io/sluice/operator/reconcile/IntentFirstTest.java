// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.reconcile.IntentFirst.Intent;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.StatusStore.Saved;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IntentFirstTest {
    private static final Duration LATER = Duration.ofSeconds(9);

    private final FlinkBlueGreenDeployment resource = resource();
    private final List<String> done = new ArrayList<>();

    @Test
    void tellsOfTheIntentThenStoresItAndThenActs() {
        Outcome outcome = run(status("next"), List.of("one", "two"), Saved.KEPT, this::performed);

        assertThat(done).containsExactly("told", "saved", "one", "two");
        assertThat(outcome)
                .isEqualTo(new Outcome(Reason.JOB_RUNNING, true, false, Optional.of(LATER)));
    }

    /** Nothing of it changes; but a reconciliation that has read late is refused, and has to be. */
    @Test
    void storesAnIntentThatItRepeatsBeforeItActs() {
        resource.setStatus(status("same"));

        run(status("same"), List.of("one"), Saved.KEPT, this::performed);

        assertThat(done).containsExactly("saved", "one");
    }

    @Test
    void storesNothingAndTellsNothingIfNothingIsDone() {
        resource.setStatus(status("same"));

        run(status("same"), List.of(), Saved.KEPT, this::performed);

        assertThat(done).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"CONFLICT", "CUT"})
    void doesNothingByAnIntentThatIsNotStored(Saved refused) {
        run(status("next"), List.of("one"), refused, this::performed);

        assertThat(done).startsWith("told", "saved").doesNotContain("one");
    }

    @Test
    void readsAgainSoonIfAnActionCouldNotTakePlace() {
        Outcome outcome =
                run(
                        status("next"),
                        List.of("one", "two"),
                        Saved.KEPT,
                        action -> !performed(action));

        assertThat(done).containsExactly("told", "saved", "one");
        assertThat(outcome.checkAgain().orElseThrow()).isLessThan(LATER);
    }

    /** Should the process end between both, nobody would be told otherwise. */
    @Test
    void tellsOfAResourceBeforeItLetsItGo() {
        resource.setStatus(status("same"));

        Outcome outcome =
                intentFirst()
                        .run(
                                resource,
                                intent(status("same"), List.of("release"), true),
                                this::save,
                                this::performed);

        assertThat(done).containsExactly("told", "saved", "release");
        assertThat(outcome.released()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"CONFLICT", "CUT"})
    void tellsOnceOfWhatCannotBeStored(Saved refused) {
        var intentFirst = intentFirst();
        Intent<String> intent = intent(status("next"), List.of("one"), false);

        intentFirst.run(resource, intent, (_, _) -> refused, this::performed);
        done.clear();
        intentFirst.run(resource, intent, (_, _) -> refused, this::performed);
        assertThat(done).as("but for the CRD").doesNotContain("one").hasSizeLessThan(2);

        done.clear();
        intentFirst.run(resource, intent, this::save, this::performed);
        assertThat(done).containsExactly("saved", "one");
        done.clear();
        intentFirst.run(resource, intent, this::save, this::performed);
        assertThat(done).as("the next time").containsExactly("told", "saved", "one");
    }

    /** Whoever could not store the status could perhaps not write the event either. */
    @Test
    void tellsAgainIfTheApiServerDoesNotAnswer() {
        var intentFirst = intentFirst();
        Intent<String> intent = intent(status("next"), List.of(), false);

        assertThatThrownBy(
                        () ->
                                intentFirst.run(
                                        resource,
                                        intent,
                                        (_, _) -> {
                                            throw new IllegalStateException("timed out");
                                        },
                                        this::performed))
                .isInstanceOf(IllegalStateException.class);
        done.clear();
        intentFirst.run(resource, intent, this::save, this::performed);

        assertThat(done).containsExactly("told", "saved");
    }

    private Saved save(FlinkBlueGreenDeployment read, ObjectNode next) {
        done.add("saved");
        return Saved.KEPT;
    }

    private IntentFirst<FlinkBlueGreenDeployment> intentFirst() {
        return new IntentFirst<>("the CRD", (_, _) -> done.add("told"));
    }

    private static Intent<String> intent(
            ObjectNode status, List<String> actions, boolean releases) {
        return new Intent<>(
                Reason.JOB_RUNNING,
                status,
                actions,
                List.<ResourceEvent>of(),
                releases,
                Optional.of(LATER));
    }

    private boolean performed(String action) {
        return done.add(action);
    }

    private Outcome run(
            ObjectNode status, List<String> actions, Saved saved, Predicate<String> perform) {
        return intentFirst()
                .run(
                        resource,
                        intent(status, actions, false),
                        (_, _) -> {
                            done.add("saved");
                            return saved;
                        },
                        perform);
    }

    private static FlinkBlueGreenDeployment resource() {
        var resource = new FlinkBlueGreenDeployment();
        resource.getMetadata().setUid("uid");
        return resource;
    }

    private static ObjectNode status(String word) {
        return JsonNodeFactory.instance.objectNode().put("word", word);
    }
}
