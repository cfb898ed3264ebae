// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A fault that can be planted in one source file, as a file below {@code mutants/} describes it:
 *
 * <pre>
 *   why: what the fault would do to a user, in one sentence
 *   source: operator/src/main/java/.../KubernetesEffects.java
 *   test: EffectsTest#deletesOnlyTheDeploymentThatWasSeen
 *   simulator: DeploymentWorldSimTest 17
 *   ---
 *   text that is there exactly once; white space and line breaks may differ
 *   +++
 *   what replaces it; may be empty
 * </pre>
 *
 * The fourth line is optional, see {@link Sight}.
 *
 * @param name of its file, without the extension
 * @param source relative to the root of the repository
 * @param sight what simulators see of it; empty if nothing is said of that
 * @param was the text that is replaced
 */
public record Mutant(
        String name,
        String why,
        Path source,
        NamedTest test,
        Optional<Sight> sight,
        String was,
        String becomes) {
    static final String EXTENSION = ".mutant";
    private static final Pattern FORM =
            Pattern.compile(
                    "why: (?<why>[^\n]+)\nsource: (?<source>\\S+)\ntest: (?<test>\\S+)\n"
                            + "(?<sight>[a-z]+: [^\n]+\n)?---\n(?<was>.+?)\n\\+\\+\\+\n(?<becomes>.*)",
                    Pattern.DOTALL);

    /** All that are kept below {@code root}, by name. */
    static List<Mutant> all(Path root) {
        try (Stream<Path> files = Files.list(root.resolve("mutants"))) {
            return files.filter(file -> file.toString().endsWith(EXTENSION))
                    .sorted()
                    .map(Mutant::read)
                    .toList();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private static Mutant read(Path file) {
        String name = String.valueOf(file.getFileName());
        return parse(name.substring(0, name.length() - EXTENSION.length()), NamedTest.textOf(file));
    }

    static Mutant parse(String name, String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    name
                            + EXTENSION
                            + ": must consist of the lines 'why: ', 'source: ', 'test: '"
                            + ", '---' and a text, '+++' and a text");
        }
        return new Mutant(
                name,
                form.group("why"),
                Path.of(form.group("source")),
                NamedTest.parse(form.group("test")),
                Optional.ofNullable(form.group("sight")).map(line -> sight(name, line.strip())),
                form.group("was"),
                form.group("becomes"));
    }

    private static Sight sight(String name, String line) {
        return Sight.parse(line)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        name + EXTENSION + ": can't be read: " + line));
    }

    /** The file with this in place of what it says of simulators. */
    static String withSight(String text, Sight sight) {
        return text.replaceFirst(
                "(test: [^\n]+\n)(?:[a-z]+: [^\n]+\n)?---\n",
                "$1" + Matcher.quoteReplacement(sight.line()) + "\n---\n");
    }

    /** Where it is kept. */
    Path file(Path root) {
        return root.resolve("mutants").resolve(name + EXTENSION);
    }

    /** The folder of the source's Maven module. */
    Path module() {
        String path = source.toString();
        int end = path.indexOf("/src/main/java/");
        if (end < 0) {
            throw new IllegalArgumentException(name + ": source is not below src/main/java");
        }
        return Path.of(path.substring(0, end));
    }

    /** The class that the source is called after. */
    String className() {
        String path = ChangedLines.below(source);
        return path.substring(0, path.length() - ".java".length()).replace('/', '.');
    }

    /** Why it can't be planted below {@code root}, or its test can't be run. */
    Optional<String> rot(Path root) {
        if (!Files.isRegularFile(root.resolve(source))) {
            return Optional.of("source: there is no file " + source);
        }
        long found = places().matcher(NamedTest.textOf(root.resolve(source))).results().count();
        if (found != 1) {
            return Optional.of(
                    "the text to be replaced is in " + source + " " + found + " times, not once");
        }
        return test.missing(root.resolve(module()))
                .or(
                        () ->
                                sight.flatMap(Sight::caught)
                                        .map(Sight.Caught::simulator)
                                        .flatMap(it -> it.missing(root.resolve("operator"))));
    }

    /** The source below {@code root} with the fault in it. */
    String planted(Path root) {
        return places().matcher(NamedTest.textOf(root.resolve(source)))
                .replaceFirst(Matcher.quoteReplacement(becomes.strip()));
    }

    private Pattern places() {
        return Pattern.compile(
                Arrays.stream(was.strip().split("\\s+"))
                        .map(Pattern::quote)
                        .collect(Collectors.joining("\\s+")));
    }
}
