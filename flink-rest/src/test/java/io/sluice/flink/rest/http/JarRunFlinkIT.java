// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import io.sluice.flink.rest.JarRunTck;
import io.sluice.flink.rest.JobManagerRest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class JarRunFlinkIT extends JarRunTck {
    private static final HttpJobManagerRest REST =
            new HttpJobManagerRest(UsualLimits.HTTP.withRequest(Duration.ofSeconds(20)));

    @TempDir static Path folder;

    @SuppressWarnings("NonFinalStaticField") // one cluster serves all tests
    private static MiniCluster cluster;

    @BeforeAll
    static void startFlink() throws Exception {
        writeJar();
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.PORT, 0);
        configuration.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
        configuration.set(WebOptions.UPLOAD_DIR, folder.resolve("uploads").toString());
        cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(configuration)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(2)
                                .build());
        cluster.start();
    }

    @AfterAll
    static void stopFlink() throws Exception {
        REST.close();
        cluster.close();
    }

    @AfterEach
    void cancelJobs() throws Exception {
        for (var job : cluster.listJobs().get()) {
            if (!job.getJobState().isGloballyTerminalState()) {
                cluster.cancelJob(job.getJobId()).get();
                cluster.requestJobResult(job.getJobId()).get();
            }
        }
    }

    @Override
    protected JobManagerRest rest() {
        return REST;
    }

    @Override
    protected URI at() {
        return cluster.getRestAddress().join();
    }

    @Override
    protected Path jar() {
        return folder.resolve("ticks.jar");
    }

    @Override
    protected String freshJobId() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private static void writeJar() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, TicksJob.class.getName());
        String path = TicksJob.class.getName().replace('.', '/') + ".class";
        try (var jar =
                        new JarOutputStream(
                                Files.newOutputStream(folder.resolve("ticks.jar")), manifest);
                InputStream code = TicksJob.class.getResourceAsStream("/" + path)) {
            jar.putNextEntry(new JarEntry(path));
            jar.write(code.readAllBytes());
            jar.closeEntry();
        }
    }
}
