// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import io.sluice.cli.trial.ClusterState.Answers;
import io.sluice.cli.trial.ClusterState.Crd;
import io.sluice.cli.trial.ClusterState.Operator;
import io.sluice.cli.trial.ClusterState.Presence;
import io.sluice.cli.trial.Facts.ChartState;
import io.sluice.cli.trial.TryRequest.Consent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Requests and clusters for the tests of what is planned. */
final class Trials {
    static final Instant BEGAN = Instant.parse("2026-03-01T12:00:00Z");
    static final String CRD = "flinkdeployments.flink.apache.org";
    static final ChartReference CHART =
            ChartReference.of(
                    "oci://registry.example.org/team/charts/sluice",
                    Optional.empty(),
                    Optional.of("0.1.0"),
                    false);
    static final ChartState.Known KNOWN =
            new ChartState.Known("sluice", "0.1.0", Optional.of(new ToolVersion(1, 30, 0)));
    static final Facts.Tools TOOLS =
            new Facts.Tools(
                    Optional.of(new ToolVersion(1, 34, 0)),
                    Optional.of(new ToolVersion(3, 18, 6)),
                    true);

    private Trials() {}

    static TryRequest request(ClusterChoice cluster, Example example, Consent consent) {
        return new TryRequest(
                cluster,
                Optional.of(CHART),
                List.of(),
                "sluice-system",
                example,
                Optional.empty(),
                consent,
                true);
    }

    static TryRequest agreed(Example example) {
        return request(ClusterChoice.CURRENT, example, Consent.GIVEN);
    }

    static Facts facts(ClusterState cluster) {
        return new Facts(TOOLS, KNOWN, cluster, List.of());
    }

    static DownFacts downFacts(ClusterState cluster) {
        return new DownFacts(TOOLS, cluster, List.of(), List.of());
    }

    /** A cluster in which nothing is installed. */
    static Found empty() {
        return new Found(
                "mine",
                Optional.empty(),
                List.of(),
                List.of(),
                Presence.ABSENT,
                Presence.ABSENT,
                Optional.empty());
    }

    /** A cluster in which a trial has installed everything. */
    static Found tried(ClusterChoice made) {
        return new Found(
                made.maker().map(Maker::context).orElse("mine"),
                Optional.of(new Trial(made, "sluice-system", BEGAN)),
                List.of(),
                List.of(new Crd(CRD, BEGAN.plusSeconds(5))),
                Presence.OWN,
                Presence.OWN,
                Optional.of("deployed"));
    }

    /** An API server that answers. */
    record Found(
            String context,
            Optional<Trial> trial,
            List<Operator> operators,
            List<Crd> crds,
            Presence trialNamespace,
            Presence releaseNamespace,
            Optional<String> release) {
        Found with(Operator operator) {
            return new Found(
                    context,
                    trial,
                    List.of(operator),
                    crds,
                    trialNamespace,
                    releaseNamespace,
                    release);
        }

        Found with(Crd crd) {
            return new Found(
                    context,
                    trial,
                    operators,
                    List.of(crd),
                    trialNamespace,
                    releaseNamespace,
                    release);
        }

        Found withNamespaces(Presence ofTrial, Presence ofRelease) {
            return new Found(context, trial, operators, crds, ofTrial, ofRelease, release);
        }

        Found withRelease(String state) {
            return new Found(
                    context,
                    trial,
                    operators,
                    crds,
                    trialNamespace,
                    releaseNamespace,
                    Optional.of(state));
        }

        Answers able() {
            return answering(new ToolVersion(1, 34, 4), true, true);
        }

        Answers answering(ToolVersion kubernetes, boolean mayInstall, boolean hasStorage) {
            return new Answers(
                    context,
                    kubernetes,
                    mayInstall,
                    hasStorage,
                    trial,
                    operators,
                    crds,
                    trialNamespace,
                    releaseNamespace,
                    release);
        }
    }
}
