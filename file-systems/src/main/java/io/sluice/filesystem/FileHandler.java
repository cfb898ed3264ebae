// SPDX-License-Identifier: Apache-2.0
package io.sluice.filesystem;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;

/** Reads one file. What is wrong is said in one line of text, which names no secret. */
final class FileHandler implements HttpHandler {
    private static final int PIECE = 64 * 1024;
    private static final int MOST_CAUSES = 10;
    private static final int MOST_OF_A_REASON = 400;
    private static final String PARAMETER = "uri=";

    /** Files of this container, and what the operator fetches by itself. */
    private static final Set<String> NOT_READ = Set.of("file", "local", "http", "https");

    /** The answer to a request: a file, or the reason why there is none. */
    private sealed interface Answer {
        record Found(FileSystem fileSystem, FileStatus file) implements Answer {}

        record Refused(int status, String why) implements Answer {}
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answer(exchange);
            if (answer instanceof Answer.Found found) {
                send(exchange, found);
            } else if (answer instanceof Answer.Refused refused) {
                refuse(exchange, refused);
            }
        }
    }

    private static Answer answer(HttpExchange exchange) {
        String query = exchange.getRequestURI().getRawQuery();
        if (!exchange.getRequestMethod().equals("GET")
                || query == null
                || !query.startsWith(PARAMETER)) {
            return new Answer.Refused(400, "write GET /file?uri=URI");
        }
        try {
            return find(
                    URLDecoder.decode(query.substring(PARAMETER.length()), StandardCharsets.UTF_8));
        } catch (FileNotFoundException missing) {
            return new Answer.Refused(404, "there is no such file");
        } catch (UnsupportedFileSystemSchemeException unknown) {
            return new Answer.Refused(
                    501, "no plugin for this scheme is loaded; see jarFileSystems.plugins");
        } catch (URISyntaxException | IllegalArgumentException wrong) {
            return new Answer.Refused(400, "it is not a URI: " + why(wrong));
        } catch (IOException | RuntimeException fault) {
            return new Answer.Refused(502, why(fault));
        }
    }

    private static Answer find(String text) throws IOException, URISyntaxException {
        URI uri = new URI(text);
        String scheme = Optional.ofNullable(uri.getScheme()).orElse("").toLowerCase(Locale.ROOT);
        if (scheme.isEmpty() || NOT_READ.contains(scheme)) {
            return new Answer.Refused(400, "the scheme '" + scheme + "' is not read");
        }
        FileSystem fileSystem = FileSystem.get(uri);
        FileStatus file = fileSystem.getFileStatus(new Path(uri));
        return file.isDir()
                ? new Answer.Refused(404, "it is a folder")
                : new Answer.Found(fileSystem, file);
    }

    /** The message of the fault that caused it, on one line. */
    private static String why(Throwable fault) {
        Throwable first =
                Stream.iterate(fault, Objects::nonNull, Throwable::getCause)
                        .limit(MOST_CAUSES)
                        .reduce((above, cause) -> cause)
                        .orElse(fault);
        String message =
                Optional.ofNullable(first.getMessage()).orElse(first.getClass().getSimpleName());
        String line = message.lines().findFirst().orElse("");
        return line.substring(0, Math.min(line.length(), MOST_OF_A_REASON));
    }

    private static void send(HttpExchange exchange, Answer.Found found) throws IOException {
        long length = found.file().getLen();
        String tag = String.format("\"%x-%x\"", found.file().getModificationTime(), length);
        exchange.getResponseHeaders().set("ETag", tag);
        if (tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
            exchange.sendResponseHeaders(304, -1);
            return;
        }
        try (FSDataInputStream in = found.fileSystem().open(found.file().getPath())) {
            exchange.sendResponseHeaders(200, length == 0 ? -1 : length);
            copy(in, exchange.getResponseBody(), length);
        }
    }

    /** Copies as many bytes as the response announces; a file that grows meanwhile is cut off. */
    private static void copy(InputStream in, OutputStream out, long length) throws IOException {
        byte[] piece = new byte[PIECE];
        long left = length;
        while (left > 0) {
            int read = in.read(piece, 0, (int) Math.min(piece.length, left));
            if (read < 0) {
                throw new IOException("the file has become shorter");
            }
            out.write(piece, 0, read);
            left -= read;
        }
    }

    private static void refuse(HttpExchange exchange, Answer.Refused refused) throws IOException {
        byte[] text = refused.why().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.sendResponseHeaders(refused.status(), text.length == 0 ? -1 : text.length);
        exchange.getResponseBody().write(text);
    }
}
