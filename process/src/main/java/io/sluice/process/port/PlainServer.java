// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers GET in plain HTTP, one request a connection, for the kubelet and Prometheus. One thread
 * serves all connections and waits for none of them; another makes probes' answers and a third long
 * ones, so that neither a slow caller nor a long list of metrics keeps a probe waiting. None is a
 * virtual thread: a probe is answered also while work occupies all of their carriers.
 */
public final class PlainServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PlainServer.class);
    private static final int LONGEST_HEAD = 8 * 1024;
    private static final int FIRST_BUFFER = 1024;
    private static final int BACKLOG = 1024;
    private static final long SWEEP_MILLIS = 1000;

    private final Map<String, Page> pages;
    private final Connections connections;
    private final Selector selector;
    private final ServerSocketChannel listening;
    private final Queue<Runnable> forSelector = new ConcurrentLinkedQueue<>();
    private final ExecutorService probes = worker("http-probes");
    private final ExecutorService lists = worker("http-lists");
    private final Thread thread = Thread.ofPlatform().name("http").daemon().unstarted(this::serve);
    private long swept;
    private volatile boolean closed;

    /** What a path is answered with. */
    public sealed interface Page {
        Answer answer();

        /** Short and made at once. */
        record Probe(Supplier<Answer> made) implements Page {
            @Override
            public Answer answer() {
                return made.get();
            }
        }

        /** Long, and made with some effort. */
        record Listing(Supplier<Answer> made) implements Page {
            @Override
            public Answer answer() {
                return made.get();
            }
        }
    }

    public record Answer(int status, String type, String text) {
        public static Answer plain(int status, String text) {
            return new Answer(status, "text/plain; charset=utf-8", text);
        }
    }

    private PlainServer(int port, Map<String, Page> pages, Connections connections)
            throws IOException {
        this.pages = Map.copyOf(pages);
        this.connections = connections;
        selector = Selector.open();
        listening = ServerSocketChannel.open();
        listening.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        listening.bind(new InetSocketAddress(port), BACKLOG);
        listening.configureBlocking(false);
        listening.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Port 0 takes a free one. */
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
            try {
                call.proceed();
            } catch (IOException gone) {
                call.end();
            }
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
        var call = new Call(channel);
        Optional<Connections.Place> place =
                Optional.ofNullable(channel.socket().getInetAddress())
                        .flatMap(peer -> connections.take(peer, call::close));
        if (place.isEmpty()) {
            channel.close();
            return;
        }
        channel.configureBlocking(false);
        call.begin(place.get());
    }

    private static ExecutorService worker(String name) {
        return Executors.newSingleThreadExecutor(Thread.ofPlatform().name(name).daemon().factory());
    }

    private static void closeQuietly(SelectionKey key) {
        try {
            key.channel().close();
        } catch (IOException already) {
            LOG.debug("closing", already);
        }
    }

    /** One connection, with its one request; what it does, the selector's thread does. */
    private final class Call {
        private final SocketChannel channel;
        private Optional<Connections.Place> place = Optional.empty();
        private Optional<SelectionKey> key = Optional.empty();
        private ByteBuffer head = ByteBuffer.allocate(FIRST_BUFFER);
        private Optional<ByteBuffer> answer = Optional.empty();

        Call(SocketChannel channel) {
            this.channel = channel;
        }

        void begin(Connections.Place given) throws IOException {
            place = Optional.of(given);
            key = Optional.of(channel.register(selector, SelectionKey.OP_READ, this));
        }

        void proceed() throws IOException {
            if (answer.isPresent()) {
                write(answer.get());
            } else if (channel.read(head) < 0) {
                end();
            } else if (isWhole()) {
                await(0);
                place.ifPresent(Connections.Place::working);
                ask();
            } else if (!head.hasRemaining()) {
                grow();
            }
        }

        /** It has lost its place. */
        void close() {
            try {
                channel.close();
            } catch (IOException already) {
                LOG.debug("closing", already);
            }
        }

        void end() {
            close();
            place.ifPresent(Connections.Place::free);
        }

        private void await(int operations) {
            key.filter(SelectionKey::isValid).ifPresent(each -> each.interestOps(operations));
        }

        private boolean isWhole() {
            return text().contains("\r\n\r\n");
        }

        private String text() {
            return new String(head.array(), 0, head.position(), ISO_8859_1);
        }

        private void grow() throws IOException {
            if (head.capacity() >= LONGEST_HEAD) {
                answer(Answer.plain(431, "the head of a request may have 8 KiB\n"));
                return;
            }
            head = ByteBuffer.allocate(2 * head.capacity()).put(head.flip());
        }

        private void ask() throws IOException {
            String[] line = text().lines().findFirst().orElse("").split(" ", 4);
            if (line.length != 3 || !line[0].equals("GET")) {
                answer(Answer.plain(405, "only GET is answered\n"));
                return;
            }
            Optional<Page> page = Optional.ofNullable(pages.get(line[1].replaceFirst("[?].*", "")));
            if (page.isEmpty()) {
                answer(Answer.plain(404, "there are " + String.join(", ", pages.keySet()) + "\n"));
                return;
            }
            ExecutorService maker =
                    switch (page.get()) {
                        case Page.Probe _ -> probes;
                        case Page.Listing _ -> lists;
                    };
            try {
                maker.execute(() -> make(page.get()));
            } catch (RejectedExecutionException leaving) {
                end();
            }
        }

        private void make(Page page) {
            Answer made;
            try {
                made = page.answer();
            } catch (RuntimeException failed) {
                LOG.atError().setCause(failed).log("cannot answer a probe");
                made = Answer.plain(500, "internal error; see the log\n");
            }
            ByteBuffer whole = bytes(made);
            forSelector.add(() -> send(whole));
            selector.wakeup();
        }

        private void answer(Answer made) throws IOException {
            answer = Optional.of(bytes(made));
            write(answer.get());
        }

        private void send(ByteBuffer whole) {
            answer = Optional.of(whole);
            try {
                write(whole);
            } catch (IOException gone) {
                end();
            }
        }

        private void write(ByteBuffer whole) throws IOException {
            if (!channel.isOpen()) {
                return;
            }
            place.ifPresent(Connections.Place::answering);
            channel.write(whole);
            if (whole.hasRemaining()) {
                await(SelectionKey.OP_WRITE);
            } else {
                channel.shutdownOutput();
                end();
            }
        }

        private static ByteBuffer bytes(Answer answer) {
            byte[] body = answer.text().getBytes(UTF_8);
            byte[] head =
                    """
                    HTTP/1.1 %d %s\r
                    Content-Type: %s\r
                    Content-Length: %d\r
                    Connection: close\r
                    \r
                    """
                            .formatted(
                                    answer.status(),
                                    answer.status() < 400 ? "OK" : "Not OK",
                                    answer.type(),
                                    body.length)
                            .getBytes(ISO_8859_1);
            return ByteBuffer.allocate(head.length + body.length).put(head).put(body).flip();
        }
    }
}
