// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Silent;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the command line may say. Nothing answers at the address of the kubeconfig. */
class SavepointCommandTest {
    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeKubeconfig() throws IOException {
        Silent.kubeconfig(folder);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders",
                "orders --wait",
                "--wait orders",
                "--wait=90s orders",
                "orders --wait=2h",
                "--context silent --wait --path s3://b/keep orders",
                "--checkpoint --backoff-limit -1 orders",
                "--format native --dispose-on-delete --label a=b --label c=d orders",
            })
    void whatIsWellFormedAsksTheCluster(String arguments) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("sluice savepoint: ")
                .contains("http://127.0.0.1:1", "does not answer", "look at --kubeconfig");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "orders --wait=soon | --wait: 'soon' is no duration",
                "orders --wait=10 | --wait: '10' is no duration",
                "orders --wait=0s | --wait: '0s' is no duration",
                "orders --checkpoint --path s3://b | --path: is for savepoints only",
                "orders --checkpoint --format native | --format: is for savepoints only",
                "orders --checkpoint --dispose-on-delete | --dispose-on-delete: is for savepoints",
                "orders --backoff-limit -2 | --backoff-limit: '-2' is no number of repetitions",
                "deploy/orders | JOB: 'deploy/orders' names no job",
                "orders --context other | --context: the kubeconfig has no context 'other'; it has silent",
            })
    void whatIsNotIsToldByItsOption(String arguments, String why) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains("sluice savepoint: " + why);
    }

    @Test
    void aKubeconfigThatIsNotThereIsNamed() {
        assertThat(run("orders", "--kubeconfig", "nowhere")).isEqualTo(2);
        assertThat(err.toString()).contains("'nowhere' cannot be read");
    }

    private int run(String... arguments) {
        String config = folder.resolve("config").toString();
        boolean isNamed = Stream.of(arguments).anyMatch("--kubeconfig"::equals);
        return new CommandLine(new SavepointCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(
                        Stream.concat(
                                        isNamed ? Stream.of() : Stream.of("--kubeconfig", config),
                                        Stream.of(arguments))
                                .toArray(String[]::new));
    }
}
