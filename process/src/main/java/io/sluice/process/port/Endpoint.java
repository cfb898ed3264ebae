// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import io.sluice.process.ProcessName;
import io.sluice.process.Variable;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a process answers. docs/reference/endpoints.md is generated from these.
 *
 * <p>A part {@code *} of a path stands for any text but none.
 */
public enum Endpoint {
    HEALTH(
            "/healthz",
            Port.MANAGEMENT,
            "everybody",
            "200 if the process is well, else 503 with what is wrong, a line each. The kubelet"
                    + " restarts a process that is not well for a minute.",
            EnumSet.allOf(ProcessName.class)),
    READINESS(
            "/readyz",
            Port.MANAGEMENT,
            "everybody",
            "200 if the process is ready, else 503 with what is missing, a line each.",
            EnumSet.allOf(ProcessName.class)),
    METRICS(
            "/metrics",
            Port.MANAGEMENT,
            "who may `get` the path `/metrics`",
            "The [metrics](metrics.md) in the text format of Prometheus.",
            EnumSet.allOf(ProcessName.class)),
    AUTOSCALER_PAGE(
            "/",
            Port.MANAGEMENT,
            "everybody; it shows what its reader may see",
            "The autoscaler's web page, with every job.",
            EnumSet.of(ProcessName.AUTOSCALER)),
    JOB_PAGE(
            "/jobs/*/*",
            Port.MANAGEMENT,
            "everybody; it shows what its reader may see",
            "The same page for the job of this namespace and name.",
            EnumSet.of(ProcessName.AUTOSCALER)),
    PAGE_STYLE(
            "/page/page.css",
            Port.MANAGEMENT,
            "everybody",
            "The style of the page.",
            EnumSet.of(ProcessName.AUTOSCALER)),
    PAGE_SCRIPT(
            "/page/page.js",
            Port.MANAGEMENT,
            "everybody",
            "The script of the page.",
            EnumSet.of(ProcessName.AUTOSCALER)),
    EXPLANATIONS(
            "/explain",
            Port.MANAGEMENT,
            "who may `list` flinkdeployments and flinksessionjobs; jobs of other namespaces are"
                    + " left out",
            "What the autoscaler makes of each job, as JSON.",
            EnumSet.of(ProcessName.AUTOSCALER)),
    EXPLANATION(
            "/explain/*/*",
            Port.MANAGEMENT,
            "who may `get` flinkdeployments or flinksessionjobs of that name",
            "The explanation of the job of this namespace and name, as JSON; `sluice autoscaler"
                    + " explain` shows it.",
            EnumSet.of(ProcessName.AUTOSCALER)),
    VALIDATE(
            "/validate",
            Port.ADMISSION,
            "API servers",
            "Takes an AdmissionReview, and answers with every broken [rule](rules.md) and with"
                    + " warnings.",
            EnumSet.of(ProcessName.WEBHOOK)),
    MUTATE(
            "/mutate",
            Port.ADMISSION,
            "API servers",
            "Takes an AdmissionReview, and answers with a patch that has the"
                    + " [defaults](defaults.md).",
            EnumSet.of(ProcessName.WEBHOOK)),
    SELF_REVIEW(
            "/self-review",
            Port.ADMISSION,
            "the webhook itself",
            "Takes a sample every ten seconds, by which the webhook sees whether it answers.",
            EnumSet.of(ProcessName.WEBHOOK));

    /** Which port of a process answers. */
    public enum Port {
        /** Plain HTTP. */
        MANAGEMENT(Variable.HTTP_PORT),
        /** HTTPS. */
        ADMISSION(Variable.HTTPS_PORT);

        private final Variable number;

        Port(Variable number) {
            this.number = number;
        }

        /** Which variable of the environment has the port's number. */
        public Variable number() {
            return number;
        }
    }

    private final String path;
    private final Port port;
    private final String readers;
    private final String meaning;
    private final Set<ProcessName> processes;

    Endpoint(String path, Port port, String readers, String meaning, Set<ProcessName> processes) {
        this.path = path;
        this.port = port;
        this.readers = readers;
        this.meaning = meaning;
        this.processes = Collections.unmodifiableSet(processes);
    }

    public String path() {
        return path;
    }

    public Port port() {
        return port;
    }

    /** For people: who is answered where callers have to say who they are. */
    public String readers() {
        return readers;
    }

    /** For people, in Markdown: what is asked and answered. */
    public String meaning() {
        return meaning;
    }

    public Set<ProcessName> processes() {
        return processes;
    }
}
