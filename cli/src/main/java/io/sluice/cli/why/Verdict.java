// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

/** What a resource comes to for whoever asks. */
enum Verdict {
    /** What the spec asks for is so. */
    READY("is ready"),
    /** The operator, Flink or Kubernetes is at work. */
    AT_WORK("is in progress"),
    /** Somebody has to act. */
    STALLED("is stalled");

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /** What stands behind the name of the resource. */
    String text() {
        return text;
    }
}
