// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.FLAG;
import static io.sluice.rules.config.option.OptionType.MAP;
import static io.sluice.rules.config.option.OptionType.NUMBER;
import static io.sluice.rules.config.option.OptionType.TEXT;

import java.util.List;

/** Options of the Apache operator that are known and checked, and have no effect so far. */
final class IgnoredOptions {
    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = all();

    private IgnoredOptions() {}

    private static List<OperatorOption> all() {
        OptionGroup options = new OptionGroup();
        declarePodTemplates(options);
        declareJobManagersAndErrors(options);
        declareProcess(options);
        declarePlugins(options);
        declareMetrics(options);
        return options.declared();
    }

    private static void declarePodTemplates(OptionGroup options) {
        options.option("pod-template.merge-arrays-by-name", FLAG)
                .actsLike("true")
                .ofResourcesToo()
                .ignored("Containers are always merged by name.");
    }

    private static void declareJobManagersAndErrors(OptionGroup options) {
        options.option("observer.rest-ready.delay", DURATION)
                .ignored(
                        "A JobManager that is not ready is observed like everything else in"
                                + " progress.");
        options.option("flink.client.cancel.timeout", DURATION)
                .formerly("reconciler.flink.cancel.job.timeout")
                .checkedInResources()
                .ignored("A cancellation is requested, and nothing waits for it.");
        options.option("exception.stacktrace.enabled", FLAG)
                .actsLike("false")
                .ignored(
                        "status.error has a reason and a message instead of an exception. Stack"
                                + " traces are in the log.");
        options.option("exception.stacktrace.max.length", NUMBER)
                .ignored("status.error has no stack trace.");
        options.option("exception.field.max.length", NUMBER)
                .ignored("A message is cut at 2048 characters.");
        options.option("exception.throwable.list.max.count", NUMBER)
                .ignored("status.error has no list of causes.");
        options.option("exception.label.mapper", MAP)
                .ofResourcesToo()
                .ignored(
                        "The reason of the conditions, which is also the type in status.error, says"
                                + " what kind of error it is.");
    }

    private static void declareProcess(OptionGroup options) {
        options.option("config.cache.timeout", DURATION)
                .ignored(
                        "The cache has as many configurations as there are namespaces and"
                                + " versions.");
        options.option("config.cache.size", NUMBER)
                .ignored(
                        "The cache has as many configurations as there are namespaces and"
                                + " versions.");
        options.option("health.probe.enabled", FLAG)
                .actsLike("true")
                .ignored("The probes always exist, because the chart uses them.");
        options.option("health.probe.port", NUMBER)
                .ignored(
                        "Probes and metrics share a port, 8080 by default. The environment variable"
                                + " SLUICE_HTTP_PORT sets another one.");
    }

    private static void declarePlugins(OptionGroup options) {
        options.option("plugins.listeners.*", TEXT)
                .ignored(
                        "A listener is loaded from its folder, and no class has to be named. Its"
                                + " own options begin with plugins. and the name of the folder.");
    }

    private static void declareMetrics(OptionGroup options) {
        options.option("cluster.resource-view.refresh-interval", DURATION)
                .ignored(
                        "The autoscaler does not look for free resources of nodes. Quotas limit"
                                + " what it requests.");
        options.option("kubernetes.client.metrics.http.response.code.groups.enabled", FLAG)
                .ignored("The response code is a label, which a query can group.");
        options.option("metrics.histogram.sample.size", NUMBER)
                .ignored("Prometheus histograms store counts instead of samples.");
        options.option("metrics.scope.k8soperator.system", TEXT)
                .ignored("Labels take the place of scopes.");
        options.option("metrics.scope.k8soperator.resourcens", TEXT)
                .ignored("Labels take the place of scopes.");
        options.option("metrics.scope.k8soperator.resource", TEXT)
                .ignored("Labels take the place of scopes.");
        options.option("metrics.*", TEXT)
                .ignored(
                        "There are no reporters. Every metric is at /metrics, where Prometheus"
                                + " fetches it.");
    }
}
