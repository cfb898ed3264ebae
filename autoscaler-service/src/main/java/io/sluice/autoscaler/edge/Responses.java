// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.edge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.autoscaler.explain.ExplanationJson;
import io.sluice.autoscaler.explain.Explanations;
import io.sluice.autoscaler.share.Member;
import io.sluice.autoscaler.share.Peers;
import io.sluice.autoscaler.share.Share;
import io.sluice.process.access.Access;
import io.sluice.process.access.Caller;
import io.sluice.process.port.Request;
import io.sluice.process.port.Response;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Explains any job, whichever replica is asked: those of other replicas by asking them. With {@code
 * ?local}, as replicas ask one another, only its own, and all of them. Whoever else asks is told of
 * what they may read, and learns nothing of the rest, not even that it is there.
 */
public final class Responses {
    private static final Response NOT_THERE =
            Response.error(
                    404,
                    "no FlinkDeployment or FlinkSessionJob of this name has"
                            + " job.autoscaler.enabled");

    private final Explanations explanations;
    private final Supplier<Share> share;
    private final Peers peers;
    private final Access access;

    public Responses(Explanations explanations, Supplier<Share> share, Peers peers, Access access) {
        this.explanations = explanations;
        this.share = share;
        this.peers = peers;
        this.access = access;
    }

    Response overview(Request request) {
        Stream<JsonNode> own = explanations.all().stream().map(ExplanationJson::summary);
        if (isLocal(request)) {
            var _ = access.replica(request);
            return list(own);
        }
        Caller caller = access.caller(request);
        List<JsonNode> others = peers.askAll(share.get(), "/explain");
        var readable = new ReadableJobs(access, caller);
        return list(
                Stream.concat(own, others.stream())
                        .filter(
                                job ->
                                        readable.mayList(
                                                job.path("kind").asText(),
                                                job.path("namespace").asText())));
    }

    Response explain(Request request) {
        List<String> path = request.segments();
        String namespace = path.get(1);
        String name = path.get(2);
        Optional<JsonNode> own = explanations.of(namespace, name).map(ExplanationJson::of);
        if (isLocal(request)) {
            var _ = access.replica(request);
            return own.map(job -> Response.json(job.toString())).orElse(NOT_THERE);
        }
        var readable = new ReadableJobs(access, access.caller(request));
        // Before it is known whether there is such a job: a refusal must not tell.
        readable.requireAny(namespace, name);
        return own.or(() -> others(namespace, name))
                .filter(job -> readable.mayGet(job.path("kind").asText(), namespace, name))
                .map(job -> Response.json(job.toString()))
                .orElseGet(() -> notThere(namespace));
    }

    private Response notThere(String namespace) {
        return Optional.ofNullable(share.get().elsewhere().get(namespace))
                .map(why -> Response.error(404, why))
                .orElse(NOT_THERE);
    }

    private Optional<JsonNode> others(String namespace, String name) {
        return share.get()
                .ownerOf(namespace, name)
                .filter(member -> !member.equals(share.get().self()))
                .flatMap(member -> ask(member, namespace, name));
    }

    private Optional<JsonNode> ask(Member member, String namespace, String name) {
        return peers.ask(member, "/explain/" + namespace + "/" + name);
    }

    private static Response list(Stream<JsonNode> jobs) {
        ArrayNode sorted = JsonNodeFactory.instance.arrayNode();
        jobs.sorted(
                        Comparator.comparing(
                                job ->
                                        job.path("namespace").asText()
                                                + "/"
                                                + job.path("name").asText()))
                .forEach(sorted::add);
        return Response.json(sorted.toString());
    }

    private static boolean isLocal(Request request) {
        return request.query().contains(Peers.LOCAL);
    }
}
