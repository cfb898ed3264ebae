// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ImageSbomTest {
    private static final Coordinates OWN = new Coordinates("io.sluice", "sluice-webhook", "1.0");
    private static final Coordinates SLF4J = new Coordinates("org.slf4j", "slf4j-api", "2.0.18");
    private static final Coordinates NETTY =
            new Coordinates("io.netty", "netty-all", "4.1.91.Final");

    @TempDir Path folder;

    @Test
    void aBillIsValidByTheSchemaOfCycloneDx() throws IOException {
        assertThat(ImageSbom.violations(text(sbom(Samples.jar(OWN), Samples.jar(SLF4J, NETTY)))))
                .isEmpty();
    }

    @Test
    void aBillWithoutItsFormatIsNotValid() throws IOException {
        ObjectNode sbom = sbom(Samples.jar(OWN), Samples.jar(SLF4J));
        sbom.put("serialNumber", "no urn");

        assertThat(ImageSbom.violations(text(sbom))).isNotEmpty();
    }

    @Test
    void theSameContentsGiveTheSameText() throws IOException {
        assertThat(text(sbom(Samples.jar(OWN), Samples.jar(SLF4J))))
                .isEqualTo(text(sbom(Samples.jar(OWN), Samples.jar(SLF4J))));
    }

    @Test
    void otherContentsGetAnotherSerialNumber() throws IOException {
        ShippedJar other =
                new ShippedJar(
                        "/app/lib/slf4j-api-2.0.18.jar",
                        "cd".repeat(32),
                        Optional.empty(),
                        List.of());

        assertThat(sbom(Samples.jar(OWN), other).path("serialNumber"))
                .isNotEqualTo(sbom(Samples.jar(OWN), Samples.jar(SLF4J)).path("serialNumber"));
    }

    @Test
    void aJarThatMavenDoesNotNameIsRefused() {
        assertThatThrownBy(() -> sbom(Samples.jar(OWN), Samples.jar(SLF4J), Samples.jar(NETTY)))
                .hasMessageContaining("netty-all-4.1.91.Final.jar");
    }

    @Test
    void aComponentWithoutItsJarIsRefused() {
        assertThatThrownBy(() -> sbom(Samples.jar(OWN)))
                .hasMessageContaining("slf4j-api-2.0.18.jar");
    }

    @Test
    void packagesAndTheJavaRuntimeAreNamedWithTheirVersions() throws IOException {
        assertThat(sbom(Samples.jar(OWN), Samples.jar(SLF4J)).path("components"))
                .extracting(component -> component.path("purl").asText())
                .contains(
                        "pkg:deb/debian/libc6@2.36-9%2Bdeb12u10?arch=amd64&distro=debian-12",
                        "pkg:generic/openjdk@25.0.3%2B9-LTS");
    }

    @Test
    void whatAJarBundlesIsReadFromItsNotice() throws IOException {
        Path jar = folder.resolve("flink-shaded-netty-4.1.91.Final-17.0.jar");
        Samples.writeJar(
                jar,
                """
                This project bundles the following dependencies

                - io.netty:netty-all:4.1.91.Final
                - io.netty:netty-resolver-dns-native-macos:osx-x86_64:4.1.91.Final
                - not a component
                """);

        assertThat(ShippedJar.read(jar, "/app/lib/x.jar").bundled())
                .extracting(Coordinates::artifact)
                .containsExactly("netty-all", "netty-resolver-dns-native-macos");
    }

    @Test
    void aJarOfFlinksIsKnownByItsName() throws IOException {
        Path root = folder.resolve("root");
        Samples.writeJar(root.resolve("opt/flink/lib/flink-dist-1.20.5.jar"), "");
        Samples.writeJar(root.resolve("usr/share/java/of-debian.jar"), "");
        Samples.writeJar(root.resolve("opt/java/lib/jrt-fs.jar"), "");

        assertThat(ShippedJar.below(root))
                .singleElement()
                .satisfies(
                        jar -> {
                            assertThat(jar.path())
                                    .isEqualTo("/opt/flink/lib/flink-dist-1.20.5.jar");
                            assertThat(jar.own())
                                    .contains(
                                            new Coordinates(
                                                    "org.apache.flink", "flink-dist", "1.20.5"));
                        });
    }

    @Test
    void aFileOfNoPackageIsAProblem() throws IOException {
        Path root = Samples.root(folder.resolve("root"));
        Files.writeString(root.resolve("lib/stray.so"), "of nobody");

        assertThat(Problems.ofRoot(RootFolder.read(root)))
                .singleElement()
                .asString()
                .startsWith("/lib/stray.so belongs to no package");
    }

    @Test
    void aFileThatAPackageNamesAndThatIsNotThereIsAProblem() throws IOException {
        Path root = Samples.root(folder.resolve("root"));
        Files.delete(root.resolve("lib/libc.so.6"));

        assertThat(Problems.ofRoot(RootFolder.read(root)))
                .containsExactly("/lib/libc.so.6 is named by a package and missing");
    }

    @Test
    void jarsThatDifferFromTheBillAreProblems() throws IOException {
        ObjectNode sbom = sbom(Samples.jar(OWN), Samples.jar(SLF4J));
        ShippedJar changed =
                new ShippedJar(
                        "/app/lib/sluice-webhook-1.0.jar",
                        "cd".repeat(32),
                        Optional.empty(),
                        List.of());

        assertThat(Problems.ofJars(sbom, List.of(changed, Samples.jar(NETTY))))
                .containsExactly(
                        "/app/lib/sluice-webhook-1.0.jar has another hash than the bill of"
                                + " materials says",
                        "/app/lib/netty-all-4.1.91.Final.jar is not in the bill of materials",
                        "/app/lib/slf4j-api-2.0.18.jar is in the bill of materials only");
    }

    @Test
    void licencesAreListedForPeople() throws IOException {
        assertThat(ThirdParty.text(sbom(Samples.jar(OWN), Samples.jar(SLF4J))))
                .contains("org.slf4j:slf4j-api 2.0.18: MIT\n", "libc6 2.36-9+deb12u10: LGPL-2.1\n")
                .doesNotContain("sluice-webhook");
    }

    private ObjectNode sbom(ShippedJar... jars) throws IOException {
        return ImageSbom.of(
                "webhook",
                "1.0",
                Optional.of(Samples.maven(OWN, SLF4J)),
                List.of(jars),
                Optional.of(RootFolder.read(Samples.root(folder.resolve("sample")))));
    }

    private static String text(ObjectNode sbom) {
        return new String(ImageSbom.bytes(sbom), StandardCharsets.UTF_8);
    }
}
