// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.javalin.http.Context;
import io.sluice.autoscaler.explain.Explanation;
import io.sluice.autoscaler.explain.ExplanationJson;
import io.sluice.autoscaler.explain.Explanations;
import io.sluice.autoscaler.share.Member;
import io.sluice.autoscaler.share.Peers;
import io.sluice.autoscaler.share.Share;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Explains any job, whichever replica is asked: those of other replicas by asking them. With {@code
 * ?local}, as replicas ask one another, only its own.
 */
final class Answers {
    private static final String NOT_THERE =
            "{\"error\":\"no FlinkDeployment or FlinkSessionJob of this name has"
                    + " job.autoscaler.enabled\"}";
    private static final String JSON = "application/json";

    private final Explanations explanations;
    private final Supplier<Share> share;
    private final Peers peers = new Peers();

    Answers(Explanations explanations, Supplier<Share> share) {
        this.explanations = explanations;
        this.share = share;
    }

    void overview(Context ctx) {
        ArrayNode jobs = JsonNodeFactory.instance.arrayNode();
        explanations
                .all()
                .forEach(
                        each ->
                                jobs.addObject()
                                        .put("namespace", each.key().namespace())
                                        .put("name", each.key().name())
                                        .put("outcome", each.verdict().word())
                                        .put("why", each.verdict().why()));
        if (!isLocal(ctx)) {
            peers.askAll(share.get(), "/explain").forEach(jobs::add);
        }
        ArrayNode sorted = JsonNodeFactory.instance.arrayNode();
        jobs.valueStream()
                .sorted(
                        Comparator.comparing(
                                job ->
                                        job.path("namespace").asText()
                                                + "/"
                                                + job.path("name").asText()))
                .forEach(sorted::add);
        ctx.contentType(JSON).result(sorted.toString());
    }

    void explain(Context ctx) {
        String namespace = ctx.pathParam("namespace");
        String name = ctx.pathParam("name");
        Optional<Explanation> own = explanations.of(namespace, name);
        if (own.isPresent()) {
            ctx.contentType(JSON).result(ExplanationJson.of(own.get()).toString());
            return;
        }
        Optional<Member> owner = share.get().ownerOf(namespace, name).filter(_ -> !isLocal(ctx));
        owner.filter(member -> !member.equals(share.get().self()))
                .flatMap(member -> peers.ask(member, "/explain/" + namespace + "/" + name))
                .ifPresentOrElse(
                        body -> ctx.contentType(JSON).result(body),
                        () -> ctx.status(404).contentType(JSON).result(NOT_THERE));
    }

    private static boolean isLocal(Context ctx) {
        return ctx.queryParamMap().containsKey(Peers.LOCAL);
    }
}
