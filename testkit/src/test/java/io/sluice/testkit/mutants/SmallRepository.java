// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A repository in a folder: one source, two simulators that run it, and mutants of it. */
record SmallRepository(Path root) {
    static final String SOURCE = "operator/src/main/java/io/sluice/operator/deployment/Sum.java";

    private static final List<String> SIMULATORS =
            List.of("DeploymentWorldSimTest", "HabitsSimTest");

    void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /**
     * Writes both sources and compiles them.
     *
     * @param simulator a class called {@code SIMULATOR}
     * @param options more of the compiler
     */
    void compile(String source, String simulator, String... options) throws IOException {
        write(SOURCE, source);
        for (String name : SIMULATORS) {
            write(file(name), simulator.replace("SIMULATOR", name));
        }
        Path classes = Files.createDirectories(root.resolve("classes"));
        String found = System.getProperty("java.class.path");
        Stream<String> usual = Stream.of("-proc:none", "-d", classes.toString(), "-cp", found);
        Stream<String> files =
                Stream.concat(Stream.of(SOURCE), SIMULATORS.stream().map(SmallRepository::file))
                        .map(it -> root.resolve(it).toString());
        ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        Stream.of(usual, Stream.of(options), files)
                                .flatMap(it -> it)
                                .toArray(String[]::new));
        write("target/mutants/class-path/operator", classes + File.pathSeparator + found);
        write("mutants/unseen", "# none\n");
    }

    private static String file(String simulator) {
        return "operator/src/test/java/" + simulator + ".java";
    }

    void keep(String name, String sight, String was, String becomes) throws IOException {
        write(
                "mutants/" + name + ".mutant",
                "why: It counts wrongly.\nsource: %s\ntest: DeploymentWorldSimTest\n%s\n---\n%s\n+++\n%s\n"
                        .formatted(SOURCE, sight, was, becomes));
    }

    Optional<String> sight(String name) {
        return Mutant.all(root).stream()
                .filter(it -> it.name().equals(name))
                .findFirst()
                .flatMap(Mutant::sight)
                .map(Sight::line);
    }
}
