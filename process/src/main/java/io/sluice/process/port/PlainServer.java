// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers GET, one request a connection, for the kubelet, Prometheus, and people who look at
 * explanations. One thread serves all connections and waits for none of them; another makes probes'
 * answers and a few more make long ones, so that neither a slow caller nor a long list keeps a
 * probe waiting. None is a virtual thread: a probe is answered also while work occupies all of
 * their carriers.
 */
public final class PlainServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PlainServer.class);
    private static final int BACKLOG = 1024;
    private static final long SWEEP_MILLIS = 1000;
    private static final int LISTERS = 8;
    private static final long IDLE_SECONDS = 30;

    private final Routes routes;
    private final Connections connections;
    private final Selector selector;
    private final ServerSocketChannel listening;
    private final Queue<Runnable> forSelector = new ConcurrentLinkedQueue<>();
    private final Map<Page.Shared, SharedResponse> shared = new ConcurrentHashMap<>();
    private final ListingPlaces listings = new ListingPlaces();
    private final ExecutorService probes = workers("http-probes", 1);
    private final ExecutorService lists = workers("http-lists", LISTERS);
    private final Thread thread = Thread.ofPlatform().name("http").daemon().unstarted(this::serve);
    private long swept;
    private volatile boolean closed;

    private PlainServer(int port, Map<String, Page> pages, Connections connections)
            throws IOException {
        routes = new Routes(pages);
        this.connections = connections;
        selector = Selector.open();
        listening = ServerSocketChannel.open();
        listening.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        listening.bind(new InetSocketAddress(port), BACKLOG);
        listening.configureBlocking(false);
        listening.register(selector, SelectionKey.OP_ACCEPT);
    }

    /**
     * Port 0 takes a free one.
     *
     * @param pages by path; a part {@code *} of a path stands for any text
     */
    public static PlainServer start(int port, Map<String, Page> pages, Connections connections)
            throws IOException {
        var server = new PlainServer(port, pages, connections);
        server.thread.start();
        return server;
    }

    public int port() {
        return listening.socket().getLocalPort();
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        probes.shutdownNow();
        lists.shutdownNow();
        try {
            thread.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() {
        try (selector;
                listening) {
            while (!closed) {
                selector.select(this::ready, SWEEP_MILLIS);
                for (var each = forSelector.poll(); each != null; each = forSelector.poll()) {
                    each.run();
                }
                if (System.nanoTime() - swept > SWEEP_MILLIS * 1_000_000) {
                    swept = System.nanoTime();
                    connections.sweep();
                }
            }
            selector.keys().forEach(PlainServer::closeQuietly);
        } catch (IOException failed) {
            throw new UncheckedIOException("the port for probes and metrics", failed);
        }
    }

    private void ready(SelectionKey key) {
        if (key.attachment() instanceof Call call) {
            call.proceed();
            return;
        }
        try {
            accept();
        } catch (IOException failed) {
            // Of descriptors there may be none left; those that are open end in time.
            LOG.atWarn().setCause(failed).log("cannot accept a connection");
        }
    }

    private void accept() throws IOException {
        SocketChannel channel = listening.accept();
        if (channel == null) {
            return;
        }
        var call = new Call(channel, this::ask);
        Optional<Connections.Place> place =
                Optional.ofNullable(channel.socket().getInetAddress())
                        .flatMap(peer -> connections.take(peer, call::close));
        if (place.isEmpty()) {
            channel.close();
            return;
        }
        channel.configureBlocking(false);
        call.begin(place.get(), channel.register(selector, SelectionKey.OP_READ, call));
    }

    private void ask(Call call, Request request) {
        Optional<Page> page = routes.page(request.path());
        if (page.isEmpty()) {
            call.send(Response.plain(404, "there are " + String.join(", ", routes.paths()) + "\n"));
            return;
        }
        switch (page.get()) {
            case Page.Probe probe ->
                    make(probes, call, () -> new Made(probe.made().get().bytes(), () -> {}));
            case Page.Shared each -> make(lists, call, () -> shared(each, request));
            case Page.Listing listing -> {
                if (listings.take(request.peer())) {
                    make(lists, call, () -> listed(listing, request));
                } else {
                    call.send(
                            Response.error(429, "answers to earlier requests are still being read")
                                    .with("Retry-After", "2"));
                }
            }
        }
    }

    /**
     * @param after to be run once the answer was read or never will be
     */
    private record Made(ByteBuffer whole, Runnable after) {}

    private Made shared(Page.Shared page, Request request) {
        page.admit().accept(request);
        SharedResponse.Version version =
                shared.computeIfAbsent(page, _ -> new SharedResponse()).take(page.made());
        return new Made(version.bytes(), version::release);
    }

    private Made listed(Page.Listing page, Request request) {
        Runnable free = () -> listings.free(request.peer());
        try {
            return new Made(page.made().apply(request).bytes(), free);
        } catch (RefusedException refused) {
            return new Made(refused.answer().bytes(), free);
        } catch (RuntimeException failed) {
            return new Made(failed(failed).bytes(), free);
        }
    }

    private void make(ExecutorService maker, Call call, Supplier<Made> made) {
        try {
            maker.execute(
                    () -> {
                        Made whole = safely(made);
                        onSelector(() -> call.send(whole.whole(), whole.after()));
                    });
        } catch (RejectedExecutionException leaving) {
            call.end();
        }
    }

    private static Made safely(Supplier<Made> made) {
        try {
            return made.get();
        } catch (RefusedException refused) {
            return new Made(refused.answer().bytes(), () -> {});
        } catch (RuntimeException failed) {
            return new Made(failed(failed).bytes(), () -> {});
        }
    }

    private static Response failed(RuntimeException failed) {
        LOG.atError().setCause(failed).log("cannot answer a request");
        return Response.plain(500, "internal error; see the log\n");
    }

    private void onSelector(Runnable work) {
        forSelector.add(work);
        selector.wakeup();
    }

    private static ExecutorService workers(String name, int most) {
        var workers =
                new ThreadPoolExecutor(
                        most,
                        most,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().name(name).daemon().factory());
        workers.allowCoreThreadTimeOut(true);
        return workers;
    }

    private static void closeQuietly(SelectionKey key) {
        try {
            key.channel().close();
        } catch (IOException already) {
            LOG.debug("closing", already);
        }
    }
}
