// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.flink.rest.JarRunTck;
import io.sluice.flink.rest.JarUpload;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.Reply;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FakeJarsTest extends JarRunTck {
    private static final URI AT = URI.create("http://session-rest.shop:8081");

    private final FakeJobManager rest = new FakeJobManager();
    private final FakeCluster cluster = rest.start(AT);

    @TempDir Path folder;

    @BeforeEach
    void makeAJar() throws IOException {
        Files.writeString(jar(), "a jar");
    }

    @Override
    protected JobManagerRest rest() {
        return rest;
    }

    @Override
    protected URI at() {
        return AT;
    }

    @Override
    protected Path jar() {
        return folder.resolve("ticks.jar");
    }

    @Override
    protected String freshJobId() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    @Test
    void losesItsJarsWithItsProcess() {
        var upload = new JarUpload(jar(), "ticks.jar", Duration.ofSeconds(1));
        String jarId = rest.uploadJar(AT, upload).answer().orElseThrow();

        cluster.restartEmpty();

        assertThat(rest.deleteJar(AT, jarId)).isInstanceOf(Reply.Refused.class);
    }
}
