// SPDX-License-Identifier: Apache-2.0
package io.sluice.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginsTest {
    @TempDir Path offered;
    @TempDir Path plugins;

    @BeforeEach
    void offer() throws IOException {
        Files.writeString(offered.resolve("flink-s3-fs-presto-1.20.5.jar"), "presto");
        Files.writeString(offered.resolve("flink-s3-fs-hadoop-1.20.5.jar"), "hadoop");
        Files.writeString(offered.resolve("flink-sql-client-1.20.5.jar"), "sql");
    }

    @Test
    void putsAPluginIntoAFolderOfItsOwn() throws IOException {
        Plugins.install("flink-s3-fs-presto", offered, plugins);
        Plugins.install("flink-s3-fs-presto", offered, plugins);

        assertThat(plugins.resolve("flink-s3-fs-presto/flink-s3-fs-presto-1.20.5.jar"))
                .hasContent("presto");
    }

    @Test
    void namesThoseThatThereAreIfOneIsMissing() {
        assertThatThrownBy(() -> Plugins.install("flink-s3-fs", offered, plugins))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("'flink-s3-fs'")
                .hasMessageContaining(
                        "flink-s3-fs-hadoop-1.20.5.jar, flink-s3-fs-presto-1.20.5.jar");
    }
}
