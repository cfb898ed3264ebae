// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A cluster as a trial finds it. */
sealed interface ClusterState {
    /** The cluster of a trial is not there yet, and this program makes it. */
    record NotMade(Maker maker) implements ClusterState {}

    /** No cluster was named, and the kubeconfig has no current context. */
    record NoContext() implements ClusterState {}

    /**
     * The API server does not answer, or refuses.
     *
     * @param why as kubectl says it
     */
    record Silent(String context, String why) implements ClusterState {}

    /**
     * The API server answers.
     *
     * @param kubernetes its version
     * @param mayInstall whether the user may create CRDs and ClusterRoles
     * @param hasStorage whether a StorageClass is the default
     * @param trial what is on record of a trial
     * @param operators Deployments of Sluice or the Apache operator that no trial has made
     * @param crds those of flink.apache.org
     * @param trialNamespace whether there is a namespace {@link Trial#NAME}, and whose
     * @param releaseNamespace the same of the namespace of the release
     * @param release what Helm calls the state of the trial's release, such as deployed; empty if
     *     there is none
     */
    record Answers(
            String context,
            ToolVersion kubernetes,
            boolean mayInstall,
            boolean hasStorage,
            Optional<Trial> trial,
            List<Operator> operators,
            List<Crd> crds,
            Presence trialNamespace,
            Presence releaseNamespace,
            Optional<String> release)
            implements ClusterState {
        public Answers {
            operators = List.copyOf(operators);
            crds = List.copyOf(crds);
        }

        /** Whether a trial has made the CRD: it came after the record of the trial. */
        boolean isOwn(Crd crd) {
            return trial.filter(each -> !crd.created().isBefore(each.began())).isPresent();
        }
    }

    /** A namespace, and whether a trial has created it. */
    enum Presence {
        ABSENT,
        OWN,
        FOREIGN
    }

    /**
     * An operator for Flink.
     *
     * @param product the label app.kubernetes.io/name
     */
    record Operator(String product, String namespace) {}

    /** A CustomResourceDefinition. */
    record Crd(String name, Instant created) {}
}
