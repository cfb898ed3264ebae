// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.crd;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.ResourceKind;
import io.sluice.operator.child.ApiServerMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reads the CRDs of the kinds that the operator serves, and the ones it was built with. */
public record InstalledCrds(KubernetesClient client) {
    /** What updates them, for people; a checkout of the sources is not needed. */
    public static final String UPDATE =
            "helm show crds CHART | kubectl apply --server-side --force-conflicts -f -";

    private static final List<String> SERVED =
            Arrays.stream(ResourceKind.values()).map(ResourceKind::crd).toList();

    /** What was found about one CRD. */
    public sealed interface Finding {
        String crd();

        record Current(String crd) implements Finding {}

        /**
         * @param missing as {@link CrdAge#missing}
         */
        record Older(String crd, List<String> missing) implements Finding {
            private static final int MOST = 5;

            public Older {
                missing = List.copyOf(missing);
            }

            /** For people: what is missing and what to do. */
            public String text() {
                return "The installed CRD "
                        + crd
                        + " is older than this operator and does not know "
                        + String.join(", ", missing.subList(0, Math.min(MOST, missing.size())))
                        + (missing.size() > MOST
                                ? " and %d more".formatted(missing.size() - MOST)
                                : "")
                        + "; apply the chart's crds ("
                        + UPDATE
                        + ").";
            }
        }

        /** The CRD is not installed. */
        record Absent(String crd) implements Finding {}

        /** It may not be read, for instance without cluster-wide rights. */
        record Unread(String crd, String why) implements Finding {}
    }

    /**
     * Whether resources of the kind can be watched: their CRD is installed, and rights for all
     * namespaces cover them. What may not be read in one namespace is left for the watch to tell.
     */
    public boolean isWatchable(Class<? extends HasMetadata> kind, Optional<String> namespace) {
        var options = new ListOptionsBuilder().withLimit(1L).build();
        try {
            var _ =
                    namespace.isPresent()
                            ? client.resources(kind).inNamespace(namespace.get()).list(options)
                            : client.resources(kind).inAnyNamespace().list(options);
            return true;
        } catch (KubernetesClientException fault) {
            boolean isMissing = fault.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
            boolean isForbidden = fault.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
            return !isMissing && !(isForbidden && namespace.isEmpty());
        }
    }

    public List<Finding> look() {
        return SERVED.stream().map(this::look).toList();
    }

    private Finding look(String name) {
        try {
            return Optional.ofNullable(
                            client.apiextensions()
                                    .v1()
                                    .customResourceDefinitions()
                                    .withName(name)
                                    .get())
                    .map(installed -> compare(name, installed))
                    .orElseGet(() -> new Finding.Absent(name));
        } catch (KubernetesClientException refused) {
            return new Finding.Unread(name, ApiServerMessage.of(refused));
        }
    }

    private Finding compare(String name, CustomResourceDefinition installed) {
        List<String> missing = CrdAge.missing(shipped(name), installed);
        return missing.isEmpty() ? new Finding.Current(name) : new Finding.Older(name, missing);
    }

    private CustomResourceDefinition shipped(String name) {
        try (InputStream yaml =
                Objects.requireNonNull(
                        FlinkDeployment.class.getResourceAsStream("/crds/" + name + "-v1.yml"),
                        name)) {
            return client.getKubernetesSerialization()
                    .unmarshal(yaml, CustomResourceDefinition.class);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
