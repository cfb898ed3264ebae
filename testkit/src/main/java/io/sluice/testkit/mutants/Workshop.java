// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import io.sluice.testkit.mutants.NamedTestRun.Outcome;
import io.sluice.testkit.mutants.NamedTestRun.TestResult;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles mutated sources, each into a folder of its own, and runs tests against them in processes
 * of their own.
 *
 * @param folder holds the class path of each module in {@code class-path/<module>}
 */
record Workshop(Path root, Path folder) {
    /** Added to a minute a test. */
    private static final int MINUTES = 4;

    private static final Path OPERATOR = Path.of("operator");

    /** A source in memory. */
    private static final class Planted extends SimpleJavaFileObject {
        private final String text;

        Planted(Path source, String text) {
            super(URI.create("string:///" + source), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    TestResult plantAndRun(Mutant mutant) throws IOException, InterruptedException {
        Optional<String> refused = plant(mutant);
        if (refused.isPresent()) {
            return new TestResult(Outcome.BROKEN, refused.get());
        }
        return told(
                run(mutant.module(), Optional.of(mutant), List.of(mutant.test())), mutant.test());
    }

    /** Compiles it; returns why that can't be done. */
    Optional<String> plant(Mutant mutant) throws IOException {
        clear(classes(mutant));
        return compile(mutant, classes(mutant));
    }

    /** What runs the simulators of the operator. */
    SimulatorRuns simulators(ReachedLines lines, Set<String> mutated) throws IOException {
        return new SimulatorRuns(root.resolve(OPERATOR), classPath(OPERATOR), lines, mutated);
    }

    /** Where the classes of a mutant are. */
    Path classes(Mutant mutant) {
        return folder.resolve("classes").resolve(mutant.name());
    }

    static TestResult told(Map<NamedTest, TestResult> results, NamedTest test) {
        return Optional.ofNullable(results.get(test))
                .orElseGet(() -> new TestResult(Outcome.BROKEN, "the process ended too early"));
    }

    private Optional<String> compile(Mutant mutant, Path classes) throws IOException {
        var said = new StringWriter();
        List<String> options =
                List.of(
                        "-proc:none",
                        "-nowarn",
                        "-parameters",
                        "-implicit:none",
                        "-d",
                        classes.toString(),
                        "-cp",
                        classPath(mutant.module()));
        List<JavaFileObject> sources = List.of(new Planted(mutant.source(), mutant.planted(root)));
        boolean compiled =
                ToolProvider.getSystemJavaCompiler()
                        .getTask(said, null, null, options, null, sources)
                        .call();
        return compiled ? Optional.empty() : Optional.of("it does not compile: " + said);
    }

    /** Runs tests of one module in one process, with what a mutant is compiled to in front. */
    Map<NamedTest, TestResult> run(
            Path module, Optional<Mutant> mutant, Collection<NamedTest> tests)
            throws IOException, InterruptedException {
        Map<String, NamedTest> byName = new HashMap<>();
        tests.forEach(
                it ->
                        byName.put(
                                it.className(root.resolve(module))
                                        + it.method().map(name -> "#" + name).orElse(""),
                                it));
        String name = mutant.map(Mutant::name).orElseGet(() -> "without-" + named(module));
        Path said = folder.resolve(name + ".log");
        Files.createDirectories(folder);
        Process process =
                new ProcessBuilder(command(module, mutant, byName.keySet()))
                        .directory(root.resolve(module).toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        if (!process.waitFor(MINUTES + tests.size(), TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return results(said, byName);
    }

    private List<String> command(Path module, Optional<Mutant> mutant, Collection<String> tests)
            throws IOException {
        String front = mutant.map(it -> classes(it) + File.pathSeparator).orElse("");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-Xmx1g",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+EnableDynamicAgentLoading",
                        "-Duser.timezone=UTC",
                        "-Dlogback.configurationFile=logback-test.xml",
                        "-cp",
                        // Last, this program's own: a module need not know the launcher.
                        front
                                + classPath(module)
                                + File.pathSeparator
                                + System.getProperty("java.class.path"),
                        NamedTestRun.class.getName()));
        command.addAll(tests);
        return command;
    }

    private String classPath(Path module) throws IOException {
        return Files.readString(folder.resolve("class-path").resolve(named(module))).strip();
    }

    private static String named(Path module) {
        return module.toString().replace('/', '-');
    }

    private static Map<NamedTest, TestResult> results(Path said, Map<String, NamedTest> byName)
            throws IOException {
        Map<NamedTest, TestResult> results = new HashMap<>();
        for (String line : Files.readAllLines(said)) {
            String[] parts = line.split("\t", 4);
            if (parts.length == 4 && parts[0].equals(NamedTestRun.MARK)) {
                Optional.ofNullable(byName.get(parts[1]))
                        .ifPresent(
                                test ->
                                        results.put(
                                                test,
                                                new TestResult(
                                                        Outcome.valueOf(parts[2]), parts[3])));
            }
        }
        return results;
    }

    private static void clear(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var inside = Files.walk(folder)) {
                for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        Files.createDirectories(folder);
    }
}
