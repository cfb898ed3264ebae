// SPDX-License-Identifier: Apache-2.0
package io.sluice.filesystem;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** Answers {@code GET /file?uri=…} with the file, as Flink's file systems read it. */
public final class FileServer {
    /** More than the operator fetches at once, so that what was given up is in nobody's way. */
    private static final int MOST_AT_ONCE = 32;

    private FileServer() {}

    /**
     * Begins to serve; Flink's file systems have to be initialised before.
     *
     * @throws IOException if nobody can listen at {@code address}
     */
    public static HttpServer start(InetSocketAddress address) throws IOException {
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/file", new FileHandler());
        server.setExecutor(
                Executors.newFixedThreadPool(
                        MOST_AT_ONCE,
                        task -> {
                            var thread = new Thread(task, "files");
                            thread.setDaemon(true);
                            return thread;
                        }));
        server.start();
        return server;
    }
}
