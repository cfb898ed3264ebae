// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import java.util.List;
import java.util.stream.Stream;

/** A program that makes clusters in containers of this machine. */
enum Maker {
    KIND(
            "kind",
            List.of("get", "clusters"),
            List.of("create", "cluster", "--name", Trial.NAME, "--wait", "180s"),
            List.of("delete", "cluster", "--name", Trial.NAME)),
    K3D(
            "k3d",
            List.of("cluster", "list", "--no-headers"),
            List.of("cluster", "create", Trial.NAME, "--wait", "--timeout", "180s"),
            List.of("cluster", "delete", Trial.NAME));

    private final String program;
    private final List<String> list;
    private final List<String> create;
    private final List<String> delete;

    Maker(String program, List<String> list, List<String> create, List<String> delete) {
        this.program = program;
        this.list = list;
        this.create = create;
        this.delete = delete;
    }

    String program() {
        return program;
    }

    /** The context that the program adds to the kubeconfig for the cluster of a trial. */
    String context() {
        return program + "-" + Trial.NAME;
    }

    /** The command whose output has a line for each cluster, beginning with its name. */
    List<String> listing() {
        return command(list);
    }

    List<String> creation() {
        return command(create);
    }

    List<String> deletion() {
        return command(delete);
    }

    /** Whether the output of {@link #listing} has the cluster of a trial. */
    static boolean hasCluster(String listed) {
        return listed.lines().anyMatch(line -> line.strip().split("\\s+")[0].equals(Trial.NAME));
    }

    private List<String> command(List<String> arguments) {
        return Stream.concat(Stream.of(program), arguments.stream()).toList();
    }
}
