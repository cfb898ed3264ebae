// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.webhook.admission.Admission;
import io.sluice.webhook.admission.AdmissionAnswer;
import io.sluice.webhook.admission.AdmissionVerdict;
import io.sluice.webhook.admission.BodyParts;
import io.sluice.webhook.http.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;

/**
 * A process of its own, with the image's heap: while it holds as many bodies as it may, it judges
 * reviews of as many values as a body may have, which are hard to read in different ways. Prints
 * how many it judged.
 */
public final class CrowdedReviews {
    private static final List<ObjIntConsumer<ObjectNode>> CROWDS =
            List.of(
                    (spec, parts) ->
                            empty(spec.withObject("/podTemplate/spec"), "containers", parts),
                    (spec, parts) -> empty(spec.withObject("/podTemplate/spec"), "volumes", parts),
                    (spec, parts) -> {
                        for (String part : List.of("", "/jobManager", "/taskManager")) {
                            empty(
                                    spec.withObject(part + "/podTemplate/spec"),
                                    "containers",
                                    parts / 3);
                        }
                    },
                    (spec, parts) -> {
                        ArrayNode volumes =
                                spec.withObject("/podTemplate/spec").putArray("volumes");
                        for (int i = 0; i < parts / 8; i++) {
                            volumes.addObject()
                                    .putObject("ephemeral")
                                    .putObject("volumeClaimTemplate")
                                    .putObject("spec");
                        }
                    },
                    (spec, parts) -> {
                        ObjectNode options = spec.withObject("/flinkConfiguration");
                        for (int i = 0; i < parts / 2; i++) {
                            options.put("some.option.of-" + i, "value-" + i);
                        }
                    },
                    (spec, parts) -> {
                        ArrayNode arguments = spec.withObject("/job").putArray("args");
                        for (int i = 0; i < parts; i++) {
                            arguments.add(1);
                        }
                    },
                    (spec, parts) -> {
                        ObjectNode labels = spec.withObject("/ingress/labels");
                        for (int i = 0; i < parts / 2; i++) {
                            labels.put("a" + i, 1);
                        }
                    });

    private CrowdedReviews() {}

    public static void main(String[] arguments) {
        List<byte[]> held = new ArrayList<>();
        for (int taken = 0; taken + Limits.USUAL.body() <= Limits.USUAL.held(); ) {
            held.add(new byte[Limits.USUAL.body()]);
            taken += Limits.USUAL.body();
        }
        var admission = new Admission(DefaultConfiguration.NONE);
        int judged = 0;
        for (ObjIntConsumer<ObjectNode> crowd : CROWDS) {
            byte[] body = body(crowd);
            if (BodyParts.count(body) > BodyParts.MOST) {
                throw new IllegalStateException("is not read at all: " + BodyParts.count(body));
            }
            AdmissionVerdict judgement = admission.judge(body).orElseThrow();
            int length =
                    AdmissionAnswer.of(judgement.request(), judgement.validated())
                            .toString()
                            .length();
            judged += length < 100_000 ? 1 : 0;
        }
        System.out.println("judged " + judged + " of " + CROWDS.size() + " beside " + held.size());
    }

    private static byte[] body(ObjIntConsumer<ObjectNode> crowd) {
        ObjectNode resource = Reviews.yaml(Reviews.VALID);
        crowd.accept((ObjectNode) resource.get("spec"), BodyParts.MOST - 200);
        return Reviews.create(resource).toString().getBytes(UTF_8);
    }

    private static void empty(ObjectNode in, String name, int parts) {
        ArrayNode list = in.putArray(name);
        for (int i = 0; i < parts / 2; i++) {
            list.addObject();
        }
    }
}
