// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.flink.rest.http.AnswerLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The other replicas' explanations. One that does not answer in time is left out. */
public final class Peers {
    /** Query parameter: tell of your own jobs only. */
    public static final String LOCAL = "local";

    private static final Logger LOG = LoggerFactory.getLogger(Peers.class);
    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final Pattern PATH = Pattern.compile("[a-zA-Z0-9/._-]+");

    private final Supplier<Optional<String>> token;
    private final int longest;
    private final ObjectMapper json;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(LONGEST)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();

    /**
     * @param token by which the others know this replica, as it is now; empty if they don't ask
     * @param limits of what another replica answers: whoever has its address is as little trusted
     *     as a JobManager
     */
    public Peers(Supplier<Optional<String>> token, AnswerLimits limits) {
        this.token = token;
        longest = limits.listBytes();
        json = limits.trees();
    }

    /**
     * What {@code member} answers; empty if it has nothing, does not answer, or answers what
     * exceeds a limit or is no JSON.
     */
    public Optional<JsonNode> ask(Member member, String path) {
        return PATH.matcher(path).matches()
                ? member.address().flatMap(address -> get(address, path))
                : Optional.empty();
    }

    /** The entries of the lists that all others answer. */
    public List<JsonNode> askAll(Share share, String path) {
        return share.alive().stream()
                .filter(member -> !member.equals(share.self()))
                .flatMap(member -> ask(member, path).stream())
                .flatMap(JsonNode::valueStream)
                .toList();
    }

    private Optional<JsonNode> read(URI address, byte[] body) {
        try {
            return Optional.of(json.readTree(body));
        } catch (IOException unreadable) {
            LOG.atWarn()
                    .addKeyValue("replica", address)
                    .log("another replica's answer is not used: {}", unreadable.toString());
            return Optional.empty();
        }
    }

    private Optional<JsonNode> get(URI address, String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address + path + "?" + LOCAL)).timeout(LONGEST);
        token.get().ifPresent(own -> request.header("Authorization", "Bearer " + own));
        try {
            HttpResponse<byte[]> response =
                    http.send(
                            request.build(),
                            BodyHandlers.limiting(BodyHandlers.ofByteArray(), longest));
            if (response.statusCode() == 401 || response.statusCode() == 403) {
                LOG.atWarn()
                        .addKeyValue("replica", address)
                        .log("another replica does not accept this one's token");
            }
            return response.statusCode() == 200 ? read(address, response.body()) : Optional.empty();
        } catch (IOException failed) {
            LOG.atInfo()
                    .addKeyValue("replica", address)
                    .log("another replica does not answer: {}", failed.toString());
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
