// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.filesystem.FileServer;
import io.sluice.rules.config.Options;
import io.sluice.rules.jar.ArtifactPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fetches jars through the program that runs beside the operator; the buckets are folders. */
class FileSystemJarsTest {
    private static final String PREFIX = "kubernetes.operator.user.artifacts.";

    @TempDir Path buckets;
    @TempDir Path cache;
    private HttpServer server;
    private WebArtifacts artifacts;

    @BeforeEach
    void start() throws IOException {
        System.setProperty("buckets", buckets.toString());
        write("jars/job.jar", "what a jar is made of");
        write("jars/large.jar", "-".repeat(2_000));
        write("others/job.jar", "what is none of their business");
        server = FileServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        artifacts =
                new WebArtifacts(
                        new ArtifactCache(cache, new CacheRoom.Bounds(10_000, 10_000)),
                        InstantSource.system());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void readsAJarFromABucketThatIsListed() throws IOException {
        assertThat(content("s3://jars/job.jar")).isEqualTo("what a jar is made of");
        assertThat(content("s3://jars/job.jar")).isEqualTo("what a jar is made of");
        write("jars/job.jar", "what it is made of now");
        assertThat(content("s3://jars/job.jar")).isEqualTo("what it is made of now");
    }

    @Test
    void checksAPinnedJar() throws IOException {
        String digest = "0".repeat(64);

        assertThat(refusal("s3://jars/job.jar#sha256=" + digest)).contains("another digest");
    }

    @ParameterizedTest
    @CsvSource({
        "s3://jars/none.jar, can't be read: there is no such file",
        "s3://jars/large.jar, is larger than 1000 bytes",
        "s3://others/job.jar, does not list by its name",
        "s3://key:secret@jars/job.jar, does not name its bucket or host plainly",
        "s3:/x//jars/job.jar, does not name its bucket or host plainly",
        "s3:///job.jar, names no host",
        "file://jars/etc/passwd, names a file of the operator's own pod",
        "gs://jars/job.jar, has a scheme that is not allowed"
    })
    void refusesEverythingElse(String uri, String why) {
        assertThat(refusal(uri)).startsWith("spec.job.jarURI: '").contains(why);
    }

    @Test
    void saysWhatIsMissingWhereTheProgramIsNotInstalled() {
        Options without =
                new Options(new FlinkConfiguration(Map.of(PREFIX + "allowed-schemes", "s3")));

        assertThat(
                        artifacts.fetch(
                                new JarSource(
                                        "shop",
                                        Optional.of("s3://jars/job.jar"),
                                        Map.of(),
                                        ArtifactPolicy.of(without))))
                .isInstanceOfSatisfying(
                        Fetched.Refused.class,
                        refused -> assertThat(refused.message()).contains("jarFileSystems"));
    }

    private void write(String file, String content) throws IOException {
        Path path = buckets.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    private String content(String uri) throws IOException {
        return Files.readString(((Fetched.Here) fetch(uri)).jar());
    }

    private String refusal(String uri) {
        return ((Fetched.Refused) fetch(uri)).message();
    }

    private Fetched fetch(String uri) {
        Map<String, String> granted =
                Map.of(
                        PREFIX + "allowed-schemes", "https;s3;file",
                        PREFIX + "allowed-hosts", "jars;*",
                        PREFIX + "max-size", "1000 b",
                        PREFIX + "file-systems",
                                "http://127.0.0.1:" + server.getAddress().getPort());
        return artifacts.fetch(
                new JarSource(
                        "shop",
                        Optional.of(uri),
                        Map.of(),
                        ArtifactPolicy.of(new Options(new FlinkConfiguration(granted)))));
    }
}
