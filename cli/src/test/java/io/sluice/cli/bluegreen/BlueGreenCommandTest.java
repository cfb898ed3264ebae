// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.Silent;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the command line may say. Nothing answers at the address of the kubeconfig. */
class BlueGreenCommandTest {
    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"promote orders", "abort orders", "abort --yes -n shop orders"})
    void whatIsWellFormedAsksTheCluster(String arguments) throws IOException {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("sluice bluegreen ")
                .contains("http://127.0.0.1:1", "does not answer", "look at --kubeconfig");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aPlanAsksTheClusterUnlessItHasAnotherFile() throws IOException {
        Path file = write("pair.json", pair());

        assertThat(run("plan", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("does not answer");

        assertThat(run("plan", file.toString(), "--from", file.toString()))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("It changes nothing that runs.");
    }

    @Test
    void aFileOfAnotherNamespaceIsNotCompared() throws IOException {
        Path file = write("pair.json", pair());

        assertThat(run("plan", file.toString(), "-n", "other")).isEqualTo(2);
        assertThat(err.toString()).contains("-n: the namespace in", "is 'shop'");
    }

    @Test
    void aFileHasToHaveOnePair() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.yaml"), "kind: ConfigMap\n");

        assertThat(run("plan", empty.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("has 0 FlinkBlueGreenDeployments");

        assertThat(run("plan", folder.resolve("none.yaml").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("cannot be read");
    }

    @Test
    void whatAdmissionRefusesIsShownWithItsProblems() throws IOException {
        ObjectNode wrong = pair();
        wrong.withObject("/spec/template/spec").remove("job");
        Path file = write("wrong.json", wrong);

        assertThat(run("plan", file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("bluegreen-job-required");
    }

    private Path write(String name, ObjectNode content) throws IOException {
        return Files.writeString(folder.resolve(name), content.toString());
    }

    private static ObjectNode pair() {
        ObjectNode content =
                Pairs.json(
                        """
                        {"apiVersion":"flink.apache.org/v1beta1","kind":"FlinkBlueGreenDeployment",
                         "metadata":{"name":"orders","namespace":"shop"},"spec":{}}
                        """);
        content.withObject("/spec").set("template", Pairs.template(1));
        return content;
    }

    private int run(String... arguments) throws IOException {
        return new CommandLine(new BlueGreenCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(
                        Stream.concat(
                                        Stream.of(arguments),
                                        Stream.of(
                                                "--kubeconfig",
                                                Silent.kubeconfig(folder).toString()))
                                .toArray(String[]::new));
    }
}
