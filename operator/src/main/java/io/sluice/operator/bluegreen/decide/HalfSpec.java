// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.operator.bluegreen.decide.PairAction.HalfPlan;
import java.util.List;
import java.util.Optional;

/**
 * The spec of a half, made from that of the pair: the path that its job starts from, and the URL of
 * its own Ingress differ.
 */
final class HalfSpec {
    private static final String START = "initialSavepointPath";
    private static final String NONCE = "savepointRedeployNonce";
    private static final String FILE = "file:";
    private static final String DEFAULT_SCHEME = "fs.default-scheme";

    private HalfSpec() {}

    /**
     * Of a half that is made.
     *
     * @param path what its job starts from; empty for nothing
     */
    static HalfPlan made(PairSpec pair, HalfColor color, String mark, Optional<String> path) {
        ObjectNode spec = of(pair, color);
        if (spec.path("job") instanceof ObjectNode job) {
            path.map(it -> withoutFile(it, pair))
                    .ifPresentOrElse(it -> job.put(START, it), () -> job.remove(START));
        }
        return new HalfPlan(mark, pair.template(), spec);
    }

    /** Of a half that is made as the template says, the path included. */
    static HalfPlan madeAsWritten(PairSpec pair, HalfColor color, String mark) {
        return new HalfPlan(mark, pair.template(), of(pair, color));
    }

    /**
     * Of a half that gets another spec. The path that it was started from stays, as it says nothing
     * to a half that has run, unless it is asked to start from the template's.
     */
    static HalfPlan changed(PairSpec pair, HalfColor color, String mark, ObjectNode standing) {
        ObjectNode spec = of(pair, color);
        boolean isRedeployed =
                spec.at("/job/" + NONCE).isNumber()
                        && !spec.at("/job/" + NONCE).equals(standing.at("/job/" + NONCE));
        if (!isRedeployed && spec.path("job") instanceof ObjectNode job) {
            String before = standing.at("/job/" + START).asText("");
            if (before.isEmpty()) {
                job.remove(START);
            } else {
                job.put(START, before);
            }
        }
        return new HalfPlan(mark, pair.template(), spec);
    }

    /** Of a half that is to be suspended, and otherwise stays as it is. */
    static HalfPlan suspended(
            PairSpec pair, String mark, ObjectNode standing, UpgradeMode upgradeMode) {
        ObjectNode spec = standing.deepCopy();
        spec.withObject("/job").put("upgradeMode", upgradeMode.wire());
        return suspended(pair, mark, spec);
    }

    /**
     * Likewise, by the upgrade mode that it has: the other half needs no state of it, but it goes
     * on from its own if the transition is aborted.
     */
    static HalfPlan suspended(PairSpec pair, String mark, ObjectNode standing) {
        ObjectNode spec = standing.deepCopy();
        spec.withObject("/job").put("state", DesiredJobState.SUSPENDED.wire());
        return new HalfPlan(mark, pair.template(), spec);
    }

    private static ObjectNode of(PairSpec pair, HalfColor color) {
        ObjectNode spec = pair.halfRaw().deepCopy();
        if (spec.path("ingress") instanceof ObjectNode ingress
                && ingress.path("template").isTextual()) {
            ingress.put("template", prefixed(ingress.path("template").textValue(), color));
        }
        return spec;
    }

    /** The host begins with the color; where there is none, the path does. */
    static String prefixed(String template, HalfColor color) {
        String prefix = color.word() + "-";
        for (String scheme : List.of("http://", "https://")) {
            if (template.startsWith(scheme)) {
                return scheme + prefixed(template.substring(scheme.length()), color);
            }
        }
        return template.startsWith("/") ? "/" + prefix + template.substring(1) : prefix + template;
    }

    /** As the Apache operator writes it; with a default scheme it would be another path. */
    private static String withoutFile(String path, PairSpec pair) {
        return path.startsWith(FILE)
                        && pair.half().flinkConfiguration().get(DEFAULT_SCHEME).isEmpty()
                ? path.substring(FILE.length())
                : path;
    }
}
