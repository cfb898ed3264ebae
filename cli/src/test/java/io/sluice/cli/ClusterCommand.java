// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * A command that is run in a namespace of a cluster, as from the command line.
 *
 * @param out what it prints
 * @param err what it prints as errors
 */
public record ClusterCommand(
        Callable<Integer> command, Path kubeconfig, String namespace, Writer out, Writer err) {
    /** Runs it, and returns what it exits with. */
    public int run(String... arguments) {
        return new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(
                        Stream.concat(
                                        Stream.of(
                                                "--kubeconfig",
                                                kubeconfig.toString(),
                                                "-n",
                                                namespace),
                                        Stream.of(arguments))
                                .toArray(String[]::new));
    }
}
