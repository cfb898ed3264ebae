// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A test class, or one method of it, called {@code Class} or {@code Class#method}.
 *
 * @param simpleName of the class, which is in the module of the source that it tests
 */
record NamedTest(String simpleName, Optional<String> method) {
    static NamedTest parse(String text) {
        String[] parts = text.split("#", 2);
        return new NamedTest(
                parts[0], parts.length == 1 ? Optional.empty() : Optional.of(parts[1]));
    }

    @Override
    public String toString() {
        return simpleName + method.map(name -> "#" + name).orElse("");
    }

    /** Why it can't be run in {@code module}. */
    Optional<String> missing(Path module) {
        List<Path> files = files(module);
        if (files.size() != 1) {
            return Optional.of(
                    "test: "
                            + files.size()
                            + " files of "
                            + module.getFileName()
                            + " are called "
                            + simpleName
                            + ".java, not one");
        }
        return method.filter(name -> !declares(files.getFirst(), name))
                .map(name -> "test: " + simpleName + " has no test method " + name);
    }

    private static boolean declares(Path file, String method) {
        return Pattern.compile(
                        "@(Test|ParameterizedTest|RepeatedTest)\\b((?!\\bvoid ).)*\\bvoid "
                                + Pattern.quote(method)
                                + "\\(",
                        Pattern.DOTALL)
                .matcher(textOf(file))
                .find();
    }

    /** With its package, as it is found in the sources of {@code module}. */
    String className(Path module) {
        Path file = tests(module).relativize(files(module).getFirst());
        String path = file.toString().replace('/', '.');
        return path.substring(0, path.length() - ".java".length());
    }

    private List<Path> files(Path module) {
        Path wanted = Path.of(simpleName + ".java");
        try (Stream<Path> files = Files.walk(tests(module))) {
            return files.filter(file -> wanted.equals(file.getFileName())).toList();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private static Path tests(Path module) {
        return module.resolve("src/test/java");
    }

    static String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
