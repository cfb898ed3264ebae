// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.operator.canary.Canaries;
import io.sluice.operator.canary.NonceBump;
import io.sluice.operator.config.HealthOptions;
import io.sluice.operator.config.RefusedNamespaces;
import io.sluice.operator.config.Settings;
import io.sluice.operator.crd.CrdCheck;
import io.sluice.operator.crd.InstalledCrds;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.report.CanaryMetrics;
import io.sluice.operator.report.CrdMetrics;
import io.sluice.operator.report.EventRecorder;
import io.sluice.operator.report.NamespaceMetrics;
import io.sluice.process.NamespaceSource;
import io.sluice.process.Uptime;
import io.sluice.process.metric.Series;
import io.sluice.rules.canary.CanaryResources;
import io.sluice.rules.config.DefaultConfiguration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the process finds out about itself, and tells of on its own pod. */
final class SelfChecks {
    private static final Logger LOG = LoggerFactory.getLogger(SelfChecks.class);

    private final KubernetesClient client;
    private final EventRecorder narrator;
    private final Settings settings;
    private final Canaries canaries;
    private final CrdMetrics crds;
    private final NamespaceMetrics served;
    private final AtomicReference<NamespaceSource> namespaces =
            new AtomicReference<>(NamespaceSource.UNKNOWN);

    SelfChecks(
            KubernetesClient client,
            EventRecorder narrator,
            Settings settings,
            Supplier<DefaultConfiguration> configuration,
            Series series) {
        this.client = client;
        this.narrator = narrator;
        this.settings = settings;
        canaries =
                new Canaries(
                        () -> CanaryResources.of(configuration.get(), settings.namespace()),
                        () -> HealthOptions.of(configuration.get()),
                        new NonceBump(client),
                        new Uptime());
        series.registry().register(new CanaryMetrics(canaries));
        crds = new CrdMetrics(series);
        served = new NamespaceMetrics(series);
    }

    Canaries canaries() {
        return canaries;
    }

    /** At the start, once. */
    void lookAtCrds() {
        new CrdCheck(crds::tell, text -> warn(OperatorEvent.CRD_OLDER, text, text))
                .tell(new InstalledCrds(client).look());
    }

    /**
     * What says which namespaces are served, in the log, and what of the configuration does not
     * hold beside it, as an event too. Said again only when that has changed.
     */
    void lookAtNamespaces(NamespaceSource source) {
        if (source.equals(namespaces.getAndSet(source))) {
            return;
        }
        LOG.atInfo().addKeyValue("source", source.name()).log("the namespaces to serve are known");
        source.warning()
                .ifPresent(
                        text -> {
                            LOG.atWarn().addKeyValue("ignored", source.ignored()).log(text);
                            warn(OperatorEvent.NAMESPACES_IGNORED, "namespaces", text);
                        });
    }

    /** Tells which of the namespaces that are to be served are. */
    RefusedNamespaces.Report namespaces() {
        return new RefusedNamespaces.Report() {
            @Override
            public void refused(String namespace, String why) {
                served.tell(namespace, false);
                String text =
                        "Namespace '%s' is not served: %s. It is tried again. Give the operator its rights there, or remove the namespace from the list."
                                .formatted(namespace, why);
                LOG.atWarn().addKeyValue("refusedNamespace", namespace).log(text);
                warn(OperatorEvent.NAMESPACE_REFUSED, namespace, text);
            }

            @Override
            public void served(String namespace, boolean again) {
                served.tell(namespace, true);
                if (again) {
                    LOG.atInfo().addKeyValue("servedNamespace", namespace).log("served again");
                }
            }
        };
    }

    void refused(String why) {
        warn(
                OperatorEvent.CONFIGURATION_REFUSED,
                "configuration",
                "The configuration can't be used, and the former one stays in use: " + why);
    }

    private void warn(OperatorEvent event, String key, String text) {
        var pod =
                new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(settings.namespace())
                        .withName(settings.identity())
                        .withUid("")
                        .endMetadata()
                        .build();
        narrator.tell(pod, List.of(ResourceEvent.of("Operator", event, key, text)));
    }
}
