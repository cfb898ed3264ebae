// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReceivedBodyTest {
    private static final int UNKNOWN = -1;

    private final Segments segments = new Segments();

    @ParameterizedTest
    @CsvSource({
        "0, true", "1, true", "5000, true", "65535, true", "65536, true", "65537, true",
        "1000000, true", "0, false", "1, false", "65536, false", "65537, false", "1000000, false"
    })
    void isWhatArrived(int size, boolean isAnnounced) {
        byte[] sent = random(size);
        // What is in segments that were used before must not come back.
        for (int i = 0; i < 3; i++) {
            byte[] used = segments.take();
            new Random(i).nextBytes(used);
            segments.giveBack(used);
        }

        var body = new ReceivedBody(segments);
        receive(body, sent, isAnnounced ? size : UNKNOWN);

        assertThat(body.size()).isEqualTo(size);
        assertThat(body.takeAll()).isEqualTo(sent);
        assertThat(body.capacity()).isZero();
    }

    @Test
    void occupiesNoMoreThanWasAnnouncedOrTheSegmentsThatItNeeds() {
        var announced = new ReceivedBody(segments);
        receive(announced, random(100_000), 100_000);
        var unknown = new ReceivedBody(segments);
        receive(unknown, random(100_000), UNKNOWN);
        var begun = new ReceivedBody(segments);
        receive(begun, random(10), 3_000_000);

        assertThat(announced.capacity()).isEqualTo(100_000);
        assertThat(unknown.capacity()).isEqualTo(2 * Segments.SIZE);
        assertThat(begun.capacity()).isEqualTo(Segments.SIZE);
    }

    @Test
    void givesItsSegmentsToTheNextBody() {
        byte[] segment = segments.take();
        segments.giveBack(segment);
        var dropped = new ReceivedBody(segments);
        receive(dropped, random(Segments.SIZE), UNKNOWN);

        dropped.clear();

        assertThat(segments.take()).isSameAs(segment);
    }

    @Test
    void keepsAnArrayThatIsTheWholeBodyToItself() {
        var body = new ReceivedBody(segments);
        receive(body, random(Segments.SIZE), Segments.SIZE);

        byte[] whole = body.takeAll();

        assertThat(segments.take()).isNotSameAs(whole);
    }

    private static void receive(ReceivedBody body, byte[] sent, long announced) {
        var random = new Random(sent.length);
        for (int at = 0; at < sent.length; ) {
            int many = Math.min(sent.length - at, 1 + random.nextInt(20_000));
            int capacity = body.capacityWith(many, announced);
            body.add(ByteBuffer.wrap(sent, at, many), announced);
            assertThat(body.capacity()).isEqualTo(capacity);
            at += many;
        }
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
