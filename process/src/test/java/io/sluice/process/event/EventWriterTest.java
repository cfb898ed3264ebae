// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.CallFault;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class EventWriterTest {
    private final InMemoryApiServer api = new InMemoryApiServer(1, () -> Instant.EPOCH);
    private final List<ApiCall.Verb> calls = new ArrayList<>();
    private final EventWriter writer = newWriter();

    EventWriterTest() {
        api.createNamespace("shop");
        api.faults(this::noted);
    }

    @Test
    void writesAnEventWithOneRequest() {
        writer.write(event("first"));

        assertThat(calls).containsExactly(ApiCall.Verb.CREATE);
        assertThat(stored()).extracting(Event::getMessage).containsExactly("first");
    }

    @Test
    void countsARepetitionWithOneRequest() {
        writer.write(event("first"));
        calls.clear();

        writer.write(event("second"));
        writer.write(event("third"));

        assertThat(calls).containsExactly(ApiCall.Verb.UPDATE, ApiCall.Verb.UPDATE);
        assertThat(stored())
                .singleElement()
                .satisfies(it -> assertThat(it.getCount()).isEqualTo(3))
                .satisfies(it -> assertThat(it.getMessage()).isEqualTo("third"));
    }

    @Test
    void countsOnWhereAnotherProcessHasCounted() {
        writer.write(event("first"));
        newWriter().write(event("of another process"));

        assertThat(writer.write(event("last"))).isTrue();

        assertThat(stored())
                .singleElement()
                .satisfies(it -> assertThat(it.getCount()).isEqualTo(3))
                .satisfies(it -> assertThat(it.getMessage()).isEqualTo("last"));
    }

    @Test
    void beginsAnewOnceTheApiServerHasDeletedTheEvent() {
        writer.write(event("first"));
        api.client().v1().events().inNamespace("shop").delete();

        assertThat(writer.write(event("second"))).isTrue();

        assertThat(stored())
                .singleElement()
                .satisfies(it -> assertThat(it.getCount()).isEqualTo(1))
                .satisfies(it -> assertThat(it.getMessage()).isEqualTo("second"));
    }

    @Test
    void goesOnAfterAnEventThatTheApiServerDidNotTake() {
        writer.write(event("first"));
        api.faults(_ -> new CallFault.Answer(403));
        assertThat(writer.write(event("lost"))).isFalse();
        api.faults(this::noted);

        assertThat(writer.write(event("last"))).isTrue();

        assertThat(stored()).extracting(Event::getMessage).containsExactly("last");
    }

    private EventWriter newWriter() {
        return new EventWriter(api.client(), () -> Instant.EPOCH, UnaryOperator.identity());
    }

    private CallFault noted(ApiCall call) {
        calls.add(call.verb());
        return CallFault.NONE;
    }

    private List<Event> stored() {
        return api.client().v1().events().inNamespace("shop").list().getItems();
    }

    private static KubernetesEvent event(String message) {
        return new KubernetesEvent(
                new ObjectReferenceBuilder()
                        .withApiVersion("flink.apache.org/v1beta1")
                        .withKind("FlinkDeployment")
                        .withNamespace("shop")
                        .withName("orders")
                        .withUid("u-1")
                        .build(),
                KubernetesEvent.Type.NORMAL,
                "Operator",
                "Submit",
                "key",
                message,
                Map.of(),
                KubernetesEvent.Repetition.COUNTED);
    }
}
