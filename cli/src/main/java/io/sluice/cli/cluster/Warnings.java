// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.cluster;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Keeps the warnings in the API server's answers, which {@code kubectl} shows. */
public final class Warnings implements Interceptor {
    /** {@code 299 - "text"}: the code, the agent and the text of RFC 7234. */
    private static final Pattern WARNING =
            Pattern.compile("299\\s+\\S+\\s+\"([^\"\\\\]*(?:\\\\.[^\"\\\\]*)*)\"");

    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

    private final Queue<String> kept = new ConcurrentLinkedQueue<>();

    @Override
    public void after(
            HttpRequest request,
            HttpResponse<?> response,
            AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        response.headers("Warning").stream().flatMap(Warnings::texts).forEach(kept::add);
    }

    /** The warnings that have come since the last call, each text once. */
    public List<String> take() {
        List<String> taken = new ArrayList<>();
        for (String text = kept.poll(); text != null; text = kept.poll()) {
            taken.add(text);
        }
        return taken.stream().distinct().toList();
    }

    static Stream<String> texts(String header) {
        return WARNING.matcher(header)
                .results()
                .map(found -> ESCAPE.matcher(found.group(1)).replaceAll("$1"))
                .map(Warnings::decoded);
    }

    /** Java reads a header byte by byte; Kubernetes writes it in UTF-8. */
    private static String decoded(String text) {
        return text.chars().allMatch(each -> each < 256)
                ? new String(text.getBytes(ISO_8859_1), UTF_8)
                : text;
    }
}
