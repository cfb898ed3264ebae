// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Silent;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the command line may say. Nothing answers at the address of the kubeconfig. */
class WhyCommandTest {
    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"orders", "flinkbgdep/orders -n shop", "-o json flinksnp/orders"})
    void whatIsWellFormedAsksTheCluster(String arguments) throws IOException {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("sluice why: ")
                .contains("http://127.0.0.1:1", "does not answer", "look at --kubeconfig");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pods/orders", "flinkdep/", "a/b/c"})
    void whatNamesNoResourceIsRefused(String argument) throws IOException {
        assertThat(run(argument)).isEqualTo(2);
        assertThat(err.toString())
                .contains("RESOURCE: '" + argument + "' names no resource; write NAME");
    }

    @Test
    void aResourceHasToBeNamed() throws IOException {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("RESOURCE");
    }

    private int run(String... arguments) throws IOException {
        return new CommandLine(new WhyCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(
                        Stream.concat(
                                        Stream.of(
                                                "--kubeconfig",
                                                Silent.kubeconfig(folder).toString()),
                                        Stream.of(arguments))
                                .toArray(String[]::new));
    }
}
