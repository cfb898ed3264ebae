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
        declareSnapshots(options);
        declareJobManagersAndErrors(options);
        declareProcess(options);
        declareBlueGreenAndMetrics(options);
        return options.declared();
    }

    private static void declareSnapshots(OptionGroup options) {
        options.option("savepoint.dispose-on-delete", FLAG)
                .ofResourcesToo()
                .ignored("the operator makes no FlinkStateSnapshots");
        options.option("snapshot.resource.enabled", FLAG)
                .ofResourcesToo()
                .checkedInResources()
                .ignored("savepoints and checkpoints are in status.jobStatus, as with false");
        options.option("pod-template.merge-arrays-by-name", FLAG)
                .ofResourcesToo()
                .ignored("containers are always merged by name");
    }

    private static void declareJobManagersAndErrors(OptionGroup options) {
        options.option("observer.rest-ready.delay", DURATION)
                .ignored("a JobManager that is not ready is looked at as anything under way");
        options.option("flink.client.cancel.timeout", DURATION)
                .formerly("reconciler.flink.cancel.job.timeout")
                .checkedInResources()
                .ignored("a cancellation is asked for, not waited for");
        options.option("exception.stacktrace.enabled", FLAG)
                .ignored(
                        "status.error is a reason and a message, and of no exception; stack traces"
                                + " are in the log");
        options.option("exception.stacktrace.max.length", NUMBER)
                .ignored("status.error has no stack trace");
        options.option("exception.field.max.length", NUMBER)
                .ignored("a message is cut at 2048 characters");
        options.option("exception.throwable.list.max.count", NUMBER)
                .ignored("status.error has no list of causes");
        options.option("exception.label.mapper", MAP)
                .ofResourcesToo()
                .ignored(
                        "the reason of the conditions, which is the type in status.error too, says"
                                + " what kind of error it is");
    }

    private static void declareProcess(OptionGroup options) {
        options.option("config.cache.timeout", DURATION)
                .ignored("as many configurations are kept as there are namespaces and versions");
        options.option("config.cache.size", NUMBER)
                .ignored("likewise");
        options.option("health.probe.enabled", FLAG)
                .ignored("the probes are always there: the chart asks for them");
        options.option("health.probe.port", NUMBER)
                .ignored(
                        "probes and metrics share a port, 8080 as the chart expects; the"
                                + " environment variable SLUICE_HTTP_PORT is for another");
    }

    private static void declareBlueGreenAndMetrics(OptionGroup options) {
        options.option("cluster.resource-view.refresh-interval", DURATION)
                .ignored(
                        "the autoscaler does not look for room on nodes; quotas bound what it asks"
                                + " for");
        options.option("bluegreen.abort.grace-period", DURATION)
                .ofResourcesToo()
                .ignored("a FlinkBlueGreenDeployment is checked, and nothing is made of it yet");
        options.option("bluegreen.deployment-deletion.delay", DURATION)
                .ofResourcesToo()
                .ignored("likewise");
        options.option("bluegreen.reconciliation.reschedule-interval", DURATION)
                .ofResourcesToo()
                .ignored("likewise");
        options.option("kubernetes.client.metrics.http.response.code.groups.enabled", FLAG)
                .ignored("a code is a label; a query groups them");
        options.option("metrics.histogram.sample.size", NUMBER)
                .ignored("Prometheus histograms keep counts, not samples");
        options.option("metrics.scope.k8soperator.system", TEXT)
                .ignored("labels say what scopes did");
        options.option("metrics.scope.k8soperator.resourcens", TEXT)
                .ignored("labels say what scopes did");
        options.option("metrics.scope.k8soperator.resource", TEXT)
                .ignored("labels say what scopes did");
        options.option("metrics.*", TEXT)
                .ignored(
                        "there are no reporters: every series is at /metrics, for Prometheus to"
                                + " fetch");
    }
}
