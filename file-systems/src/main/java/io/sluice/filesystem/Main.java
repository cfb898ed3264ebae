// SPDX-License-Identifier: Apache-2.0
package io.sluice.filesystem;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.PluginUtils;

/**
 * Serves what Flink's file systems read, on the loopback interface of the pod. Flink's
 * configuration is in the folder that {@code FLINK_CONF_DIR} names, and its plugins are put below
 * {@code FLINK_PLUGINS_DIR}.
 *
 * <pre>
 *   java -cp '/server/sluice-file-systems.jar:/opt/flink/lib/*' io.sluice.filesystem.Main PORT PLUGIN...
 * </pre>
 */
public final class Main {
    private static final Path OFFERED = Path.of("/opt/flink/opt");

    private Main() {}

    /**
     * @param arguments the port, and the names of plugins as Flink's distribution has them, without
     *     their version: {@code flink-s3-fs-presto}
     * @throws IOException if a plugin is missing, or the port is taken
     */
    public static void main(String[] arguments) throws IOException {
        List<String> words = List.of(arguments);
        Path plugins = Path.of(System.getenv().getOrDefault("FLINK_PLUGINS_DIR", "plugins"));
        for (String plugin : words.subList(1, words.size())) {
            Plugins.install(plugin, OFFERED, plugins);
        }
        var configuration = GlobalConfiguration.loadConfiguration();
        FileSystem.initialize(
                configuration, PluginUtils.createPluginManagerFromRootFolder(configuration));
        FileServer.start(
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(words.get(0))));
    }
}
