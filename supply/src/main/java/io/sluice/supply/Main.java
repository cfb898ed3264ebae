// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What images/build and supply/check call. */
@Command(
        name = "supply",
        subcommands = {Main.Make.class, Main.Check.class})
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(
                new CommandLine(new Main())
                        .setExecutionExceptionHandler(
                                (failed, _, _) -> {
                                    System.err.println("supply: " + failed.getMessage());
                                    return 1;
                                })
                        .execute(arguments));
    }

    /** Writes an image's bill of materials and its list of licences, and scans it. */
    @Command(name = "make")
    static final class Make implements Callable<Integer> {
        @Option(names = "--image", required = true)
        String image = "";

        @Option(names = "--version", required = true)
        String version = "";

        @Option(names = "--maven")
        @Nullable Path maven;

        @Option(names = "--jars", description = "folders of jars; those of the root if not given")
        List<Path> jars = List.of();

        @Option(names = "--at", description = "where the image has the jars")
        String at = "/app/lib/";

        @Option(names = "--root")
        @Nullable Path root;

        @Option(names = "--out", required = true)
        Path out = Path.of("");

        @Option(names = "--licences", required = true)
        Path licences = Path.of("");

        @Option(names = "--advisories")
        @Nullable Path advisories;

        @Override
        public Integer call() throws IOException {
            List<ShippedJar> shipped = new ArrayList<>();
            for (Path folder : jars) {
                shipped.addAll(ShippedJar.in(folder, at));
            }
            if (jars.isEmpty() && root != null) {
                shipped.addAll(ShippedJar.below(root));
            }
            Optional<RootFolder> folder = Optional.ofNullable(root).map(RootFolder::read);
            ObjectNode sbom =
                    ImageSbom.of(
                            image,
                            version,
                            maven == null ? Optional.empty() : Optional.of(json(maven)),
                            shipped,
                            folder);
            byte[] text = ImageSbom.bytes(sbom);
            List<String> problems =
                    new ArrayList<>(ImageSbom.violations(new String(text, StandardCharsets.UTF_8)));
            folder.ifPresent(whole -> problems.addAll(Problems.ofRoot(whole)));
            if (advisories != null) {
                problems.addAll(
                        Scan.findings(image, Scan.components(sbom), Advisories.read(advisories)));
            }
            Files.write(out, text);
            Files.writeString(licences, ThirdParty.text(sbom));
            return Problems.told(problems);
        }
    }

    /** Compares an unpacked image with the bill of materials that it holds. */
    @Command(name = "check")
    static final class Check implements Callable<Integer> {
        @Option(names = "--image", required = true)
        String image = "";

        @Option(names = "--root", required = true)
        Path root = Path.of("");

        @Option(names = "--sbom", required = true, description = "the one beside the archive")
        Path beside = Path.of("");

        @Option(names = "--advisories")
        @Nullable Path advisories;

        @Override
        public Integer call() throws IOException {
            Path inside = root.resolve("var/lib/db/sbom/sluice-" + image + ".cdx.json");
            String text = Files.readString(inside);
            JsonNode sbom = json(inside);
            List<String> problems = new ArrayList<>(ImageSbom.violations(text));
            if (Files.mismatch(inside, beside) != -1) {
                problems.add(inside + " and " + beside + " differ");
            }
            problems.addAll(Problems.ofRoot(RootFolder.read(root)));
            problems.addAll(Problems.ofJars(sbom, ShippedJar.below(root)));
            if (advisories != null) {
                problems.addAll(
                        Scan.findings(image, Scan.components(sbom), Advisories.read(advisories)));
            }
            return Problems.told(problems);
        }
    }

    private static JsonNode json(Path file) throws IOException {
        return new ObjectMapper().readTree(file.toFile());
    }
}
