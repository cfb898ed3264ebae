// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.config.option.DeclaredOptions;
import io.sluice.rules.config.option.OperatorOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigurationReferenceTest {
    private static final String AUTOSCALER = "job.autoscaler.";
    private static final Path REFERENCE = Path.of("../docs/reference/configuration.md");
    private static final Pattern LITERAL =
            Pattern.compile("\"(kubernetes\\.operator\\.[-.a-z0-9]*)\"");

    private static final Path DECLARATIONS = Path.of("src/main/java/io/sluice/rules/config/option");

    /** The constant of an option, in a file that declares options of the operator. */
    private static final Pattern CONSTANT =
            Pattern.compile("public static final Option<.*> (\\w+) =");

    /** These name keys too, but set none to see what comes of it. */
    private static final List<String> NO_SETTINGS =
            List.of("ConfigurationReviewTest.java", "SecretKeysTest.java", "SecretsTest.java");

    @Test
    void theReferenceIsWhatTheDeclarationsSay() throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(REFERENCE, reference());
        }

        assertThat(REFERENCE)
                .as("write it anew with ./mvnw -pl rules test -Dgolden.update=true")
                .hasContent(reference());
    }

    @Test
    void anOptionIsReadByItsDeclarationOnly() throws IOException {
        assertThat(readers())
                .allSatisfy(
                        file ->
                                assertThat(keys(Files.readString(file)))
                                        .as("keys in %s", file)
                                        .isEmpty());
    }

    @Test
    void everyOptionThatIsHonouredIsReadByTheCode() throws IOException {
        StringBuilder code = new StringBuilder();
        for (Path file : readers()) {
            code.append(Files.readString(file));
        }

        assertThat(constants())
                .hasSameSizeAs(honoured().toList())
                .allSatisfy(constant -> assertThat(code).containsPattern(constant + "\\b"));
    }

    @Test
    void everyKeyThatIsListedAsHonouredIsSetByATest() throws IOException {
        String tests = String.join("\n", testSources());
        List<String> honoured =
                Stream.concat(honoured().map(OperatorOption::key), keysOfTheAutoscaler()).toList();

        assertThat(honoured)
                .allSatisfy(
                        key ->
                                assertThat(isNamed(key, tests))
                                        .as("set %s in a test and assert what comes of it", key)
                                        .isTrue());
    }

    @Test
    void everyKeyThatIsListedIsKnownByThatName() {
        assertThat(DeclaredOptions.ALL.keySet())
                .allMatch(key -> KnownOptions.isKnownKey(key) && Aliases.newest(key).equals(key));
    }

    static List<OperatorOption> withDefault() {
        return DeclaredOptions.ALL.values().stream()
                .filter(option -> !option.option().defaultText().isEmpty())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("withDefault")
    void aDefaultIsOfItsType(OperatorOption option) {
        assertThat(option.complaint(option.option().defaultText())).isEqualTo(Optional.empty());
    }

    private static Stream<OperatorOption> honoured() {
        return DeclaredOptions.ALL.values().stream().filter(OperatorOption::isHonoured);
    }

    /** What stands alone in a string; the beginning of keys is none. */
    private static List<String> keys(String text) {
        return LITERAL.matcher(text)
                .results()
                .map(match -> match.group(1))
                .filter(key -> !key.endsWith("."))
                .toList();
    }

    /** Each option of the operator as its readers name it: {@code Class.CONSTANT}. */
    private static List<String> constants() throws IOException {
        List<String> constants = new ArrayList<>();
        try (var files = Files.list(DECLARATIONS)) {
            for (Path file : files.toList()) {
                String text = Files.readString(file);
                String name = file.getFileName().toString().replace(".java", ".");
                if (text.contains("OPTIONS = new OptionGroup()")) {
                    CONSTANT.matcher(text)
                            .results()
                            .map(match -> name + match.group(1))
                            .forEach(constants::add);
                }
            }
        }
        return constants;
    }

    /** The files that read options instead of declaring them. */
    private static List<Path> readers() throws IOException {
        return sources("main").stream()
                .filter(file -> !file.getParent().endsWith("config/option"))
                .toList();
    }

    /** In full, or as a whole string without the beginning that all keys have. */
    private static boolean isNamed(String key, String text) {
        String end = key.substring(key.startsWith(AUTOSCALER) ? 0 : OperatorOption.PREFIX.length());
        return Pattern.compile("(?:kubernetes\\.operator\\.|\")" + Pattern.quote(end) + "[\": ]")
                .matcher(text)
                .find();
    }

    private static Stream<String> keysOfTheAutoscaler() throws IOException {
        return Files.readAllLines(
                        Path.of("src/main/resources/io/sluice/rules/config/known-options.txt"))
                .stream()
                .map(line -> line.split(" ", 2)[0])
                .filter(key -> key.startsWith(AUTOSCALER));
    }

    private static List<String> testSources() throws IOException {
        List<String> texts = new ArrayList<>();
        for (Path file : sources("test")) {
            if (!NO_SETTINGS.contains(file.getFileName().toString())) {
                texts.add(Files.readString(file));
            }
        }
        // What comes of these is asserted by the rule whose folder they are in.
        try (var examples = Files.walk(Path.of("src/test/resources"))) {
            for (Path file : examples.filter(each -> each.toString().endsWith(".yaml")).toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }

    private static List<Path> sources(String kind) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module :
                List.of(
                        "rules",
                        "process",
                        "flink-rest",
                        "manifest",
                        "operator",
                        "webhook",
                        "autoscaler-service")) {
            try (var files = Files.walk(Path.of("..", module, "src", kind, "java"))) {
                files.filter(each -> each.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    private static String reference() {
        var text = new StringBuilder();
        text.append(
                """
                # Configuration

                <!-- Generated from the declarations in io.sluice.rules.config.option; do not edit. -->

                All three processes read the same folder. `defaults.yaml`, which the chart writes, comes first. The user's file
                comes on top of it: `flink-conf.yaml`, or `config.yaml` if that is absent or blank. Both of these are the chart's
                `defaultConfiguration`. The folder may have any of the three files. An older spelling of a key in the user's file
                has priority over the newer one in the defaults. The files have Flink's options for every resource, and the
                operator's own, which are listed here. These come on top of the files, in this order:
                `kubernetes.operator.default-configuration.namespace.<namespace>.<key>`,
                `….flink-version.v1_20+.<key>` for that version and later ones, `….flink-version.v1_20.<key>` for exactly that
                version, and `spec.flinkConfiguration` of a resource.

                The files are read again without a restart. If a value has the wrong type, the whole configuration is refused:
                the former one stays in use, the log and an event say why, and `sluice_configuration_good` is 0. The log also
                names keys that look like typing errors, keys that nothing reads, and older spellings.
                `sluice_configuration_info` shows the fingerprint of the configuration that each process uses.

                *Takes effect* is `now` if a change takes effect with the next reconciliation, and `start` if it needs a restart.
                A key *of resources too* may be set in `spec.flinkConfiguration`. All keys begin with `kubernetes.operator.`.

                | key | type | if not set | of resources too | takes effect | |
                |---|---|---|---|---|---|
                """);
        honoured()
                .forEach(
                        option ->
                                text.append(
                                        "| `%s` | %s | %s | %s | %s | %s |%n"
                                                .formatted(
                                                        name(option),
                                                        type(option),
                                                        code(option.option().defaultText()),
                                                        option.ofResources() ? "yes" : "",
                                                        word(option.effect()),
                                                        option.meaning())));
        text.append(
                """

                ## Not honoured yet

                These keys of the Apache operator are known and checked, but have no effect so far. A warning names each that is set
                and says what happens instead: admission for a resource, the log for the configuration of the operator.

                | key | type | what happens instead |
                |---|---|---|
                """);
        DeclaredOptions.ALL.values().stream()
                .filter(option -> !option.isHonoured())
                .forEach(
                        option ->
                                text.append(
                                        "| `%s` | %s | %s |%n"
                                                .formatted(
                                                        name(option),
                                                        type(option),
                                                        option.meaning())));
        return text.toString();
    }

    private static String name(OperatorOption option) {
        return option.key().substring(OperatorOption.PREFIX.length());
    }

    private static String type(OperatorOption option) {
        List<String> words = option.type().words();
        return words.isEmpty()
                ? option.type().word()
                : words.stream()
                        .map(ConfigurationReferenceTest::code)
                        .collect(Collectors.joining(", "));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String code(String text) {
        return text.isEmpty() ? "" : "`" + text + "`";
    }
}
