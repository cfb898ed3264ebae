// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.webhook.CrowdedReviews;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BodyPartsTest {
    @TempDir private Path folder;

    @Test
    void namesAndValuesAreCountedAndTextsAreNot() {
        assertThat(BodyParts.count("{\"a\":[1,{},\"x,{[:\\\",\"]}".getBytes(UTF_8))).isEqualTo(6);
        assertThat(BodyParts.count(new byte[0])).isZero();
        assertThat(BodyParts.count("{\"never closed,,,".getBytes(UTF_8))).isEqualTo(1);
        assertThat(BodyParts.count("\"\\".getBytes(UTF_8))).isZero();
    }

    @Test
    void aBodyOfManyValuesWeighsMoreThanOneOfALongText() {
        byte[] values = ("[" + "1,".repeat(1000) + "1]").getBytes(UTF_8);
        byte[] text = ("[\"" + "1,".repeat(1000) + "\"]").getBytes(UTF_8);

        assertThat(BodyParts.weight(values, BodyParts.count(values)))
                .isGreaterThan(10 * BodyParts.weight(text, BodyParts.count(text)) / 2);
    }

    /** The webhook's flags, in images/flags.sh and images/build. */
    @Test
    void asManyValuesAsABodyMayHaveAreJudgedWithTheImagesHeapWhileItIsFullOfBodies()
            throws Exception {
        Path output = folder.resolve("output");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx54m",
                                "-Xmn20m",
                                "-XX:SurvivorRatio=3",
                                "-XX:+UseSerialGC",
                                "-XX:+UseCompactObjectHeaders",
                                "-XX:+ExitOnOutOfMemoryError",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                CrowdedReviews.class.getName())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        assertThat(Files.readString(output)).contains("judged 7 of 7 beside 5");
        assertThat(process.exitValue()).isZero();
    }
}
