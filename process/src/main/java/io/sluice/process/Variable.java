// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * An environment variable that a process reads. docs/reference/environment.md is generated from
 * these.
 */
public enum Variable {
    NAMESPACE(
            "SLUICE_NAMESPACE",
            "",
            "The namespace that the process runs in. The webhook needs it to issue its own"
                    + " certificate; the operator and the autoscaler keep their Leases there.",
            EnumSet.allOf(ProcessName.class)),
    POD_NAME(
            "POD_NAME",
            "",
            "The name of the pod, by which replicas tell each other apart.",
            EnumSet.of(ProcessName.OPERATOR, ProcessName.AUTOSCALER)),
    HOSTNAME(
            "HOSTNAME",
            "",
            "Used where `POD_NAME` is not set. Kubernetes sets it to the pod's name.",
            EnumSet.of(ProcessName.OPERATOR)),
    POD_IP(
            "POD_IP",
            "",
            "The address of the pod, by which replicas of the autoscaler ask one another.",
            EnumSet.of(ProcessName.AUTOSCALER)),
    WATCH_NAMESPACES(
            "SLUICE_WATCH_NAMESPACES",
            "",
            "The namespaces to serve, separated by commas. Without any, those that the"
                    + " configuration names are served, or else all. The chart sets it to"
                    + " `watchNamespaces`.",
            EnumSet.allOf(ProcessName.class)),
    CONFIG_DIR(
            "SLUICE_CONFIG_DIR",
            "",
            "The folder with the operator's [configuration](configuration.md). Without it the"
                    + " operator reads `/opt/sluice/conf`, and the others read none.",
            EnumSet.allOf(ProcessName.class)),
    HTTP_PORT(
            "SLUICE_HTTP_PORT",
            "8080",
            "The port of health, metrics and pages. 0 takes a free one.",
            EnumSet.allOf(ProcessName.class)),
    LOG_LEVEL(
            "SLUICE_LOG_LEVEL",
            "INFO",
            "The level of the log until the configuration is read, and afterwards if that has no"
                    + " `kubernetes.operator.log.level`.",
            EnumSet.allOf(ProcessName.class)),
    LOG_FORMAT(
            "SLUICE_LOG_FORMAT",
            "json",
            "`json` or `text`: the format of the log until the configuration is read, and"
                    + " afterwards if that has no `kubernetes.operator.log.format`.",
            EnumSet.allOf(ProcessName.class)),
    LIBRARY_LOG_LEVEL(
            "SLUICE_LIBRARY_LOG_LEVEL",
            "WARN",
            "The level of what Jetty, Javalin and Flink log.",
            EnumSet.allOf(ProcessName.class)),
    AUTHENTICATE(
            "SLUICE_AUTHENTICATE",
            "false",
            "Whether those who read metrics and explanations have to send a token"
                    + " ([Access](../access.md)).",
            EnumSet.allOf(ProcessName.class)),
    TOKEN_AUDIENCE(
            "SLUICE_TOKEN_AUDIENCE",
            "",
            "The audience that their tokens have to be meant for. Without it, that of the API"
                    + " server.",
            EnumSet.allOf(ProcessName.class)),
    REPLICA_TOKEN(
            "SLUICE_REPLICA_TOKEN",
            "",
            "The file with the token by which replicas of the autoscaler ask one another.",
            EnumSet.of(ProcessName.AUTOSCALER)),
    LOCK_DIR(
            "SLUICE_LOCK_DIR",
            "/tmp/sluice-autoscaler",
            "The folder of the files that autoscalers with `--standalone` lock, so that one of them"
                    + " scales the jobs of a Flink cluster. Not used in a pod, where the replicas"
                    + " have Leases.",
            EnumSet.of(ProcessName.AUTOSCALER)),
    PLUGIN_DIR(
            "SLUICE_PLUGIN_DIR",
            "/opt/sluice/plugins",
            "The folder that has a folder for each [plugin](../plugins.md).",
            EnumSet.of(ProcessName.WEBHOOK, ProcessName.OPERATOR)),
    JOBMANAGER_TLS_DIR(
            "SLUICE_JOBMANAGER_TLS_DIR",
            "",
            "The folder with the certificates for [JobManagers that use"
                    + " TLS](../certificates.md#jobmanagers-that-use-tls). Without it, those that"
                    + " Java trusts.",
            EnumSet.of(ProcessName.OPERATOR, ProcessName.AUTOSCALER)),
    JOBMANAGER_TLS_ANY_HOST(
            "SLUICE_JOBMANAGER_TLS_ANY_HOST",
            "false",
            "Whether a JobManager's certificate may be for another name than that of its Service.",
            EnumSet.of(ProcessName.OPERATOR, ProcessName.AUTOSCALER)),
    HTTPS_PORT(
            "SLUICE_HTTPS_PORT",
            "9443",
            "The port that API servers call. 0 takes a free one.",
            EnumSet.of(ProcessName.WEBHOOK)),
    TLS_MIN_VERSION(
            "SLUICE_TLS_MIN_VERSION",
            "1.3",
            "The lowest version of TLS on that port, `1.3` or `1.2`.",
            EnumSet.of(ProcessName.WEBHOOK)),
    TLS_DIR(
            "SLUICE_TLS_DIR",
            "",
            "The folder with `tls.crt` and `tls.key`, if somebody else issues the certificate."
                    + " Without it the webhook does.",
            EnumSet.of(ProcessName.WEBHOOK)),
    WEBHOOK_SERVICE(
            "SLUICE_WEBHOOK_SERVICE",
            "sluice-webhook",
            "The Service of the webhook, for which it issues its certificate.",
            EnumSet.of(ProcessName.WEBHOOK)),
    WEBHOOK_EXTRA_NAMES(
            "SLUICE_WEBHOOK_EXTRA_NAMES",
            "",
            "Further host names and addresses for the certificate, separated by commas.",
            EnumSet.of(ProcessName.WEBHOOK)),
    WEBHOOK_SECRET(
            "SLUICE_WEBHOOK_SECRET",
            "sluice-webhook-tls",
            "The Secret in which the webhook keeps its authority and its certificate.",
            EnumSet.of(ProcessName.WEBHOOK)),
    VALIDATING_CONFIGURATION(
            "SLUICE_VALIDATING_CONFIGURATION",
            "sluice-validating",
            "The ValidatingWebhookConfiguration whose `caBundle` the webhook keeps up to date.",
            EnumSet.of(ProcessName.WEBHOOK)),
    MUTATING_CONFIGURATION(
            "SLUICE_MUTATING_CONFIGURATION",
            "sluice-mutating",
            "The MutatingWebhookConfiguration whose `caBundle` the webhook keeps up to date.",
            EnumSet.of(ProcessName.WEBHOOK)),
    LEAVING_SECONDS(
            "SLUICE_LEAVING_SECONDS",
            "5",
            "For how many seconds the webhook goes on answering after SIGTERM, until the API"
                    + " servers know that it leaves; at most 300.",
            EnumSet.of(ProcessName.WEBHOOK)),
    MAX_CONNECTIONS(
            "SLUICE_MAX_CONNECTIONS",
            "512",
            "The most connections to the HTTPS port. The chart sets this and the next five by"
                    + " `webhook.limits`.",
            EnumSet.of(ProcessName.WEBHOOK)),
    NEW_CONNECTIONS_PER_SECOND(
            "SLUICE_NEW_CONNECTIONS_PER_SECOND",
            "50",
            "The most connections that one address may open in a second.",
            EnumSet.of(ProcessName.WEBHOOK)),
    REQUEST_SECONDS(
            "SLUICE_REQUEST_SECONDS",
            "10",
            "Within how many seconds a request has to arrive.",
            EnumSet.of(ProcessName.WEBHOOK)),
    IDLE_SECONDS(
            "SLUICE_IDLE_SECONDS",
            "120",
            "After how many seconds without a request a connection is closed.",
            EnumSet.of(ProcessName.WEBHOOK)),
    ANSWER_SECONDS(
            "SLUICE_ANSWER_SECONDS",
            "10",
            "Within how many seconds a caller has to read its answer.",
            EnumSet.of(ProcessName.WEBHOOK)),
    HELD_MIB(
            "SLUICE_HELD_MIB",
            "16",
            "How many MiB all requests together may take in memory; at most 1024.",
            EnumSet.of(ProcessName.WEBHOOK)),
    LEADER_ELECTION(
            "SLUICE_LEADER_ELECTION",
            "",
            "The Lease by which operators choose their leader. Without it there is no election,"
                    + " and only one operator may run.",
            EnumSet.of(ProcessName.OPERATOR)),
    REST_TEMPLATE(
            "SLUICE_REST_TEMPLATE",
            "",
            "Where JobManagers answer, for development outside the cluster: an address with"
                    + " `{name}`, `{namespace}` and `{port}`.",
            EnumSet.of(ProcessName.OPERATOR)),
    JOBMANAGER_ADDRESS(
            "SLUICE_JOBMANAGER_ADDRESS",
            "",
            "The same for the autoscaler.",
            EnumSet.of(ProcessName.AUTOSCALER)),
    GROUP(
            "SLUICE_GROUP",
            "sluice-autoscaler",
            "What the replicas of one autoscaler have in common: the label of their Leases.",
            EnumSet.of(ProcessName.AUTOSCALER)),
    RESCALES_AT_ONCE(
            "SLUICE_RESCALES_AT_ONCE",
            "10",
            "How many jobs may be rescaled at the same time, by all replicas together. Each replica"
                    + " has its share of them. A third of the places is kept for jobs that can't"
                    + " keep up.",
            EnumSet.of(ProcessName.AUTOSCALER)),
    RESCALE_PAUSE(
            "SLUICE_RESCALE_PAUSE",
            "0 s",
            "The least time between two rescales of any job.",
            EnumSet.of(ProcessName.AUTOSCALER)),
    CYCLE_BUDGET(
            "SLUICE_CYCLE_BUDGET",
            "30 s",
            "How long one look at a job may take.",
            EnumSet.of(ProcessName.AUTOSCALER));

    private final String wire;
    private final String usual;
    private final String meaning;
    private final Set<ProcessName> readers;

    Variable(String wire, String usual, String meaning, Set<ProcessName> readers) {
        this.wire = wire;
        this.usual = usual;
        this.meaning = meaning;
        this.readers = Collections.unmodifiableSet(readers);
    }

    /** The variable's name in the environment. */
    public String wire() {
        return wire;
    }

    /** What a process takes if it is not set, where that is one value for all its readers. */
    public Optional<String> usual() {
        return Optional.of(usual).filter(text -> !text.isEmpty());
    }

    /** For people, in Markdown: what it is for. */
    public String meaning() {
        return meaning;
    }

    public Set<ProcessName> readers() {
        return readers;
    }
}
