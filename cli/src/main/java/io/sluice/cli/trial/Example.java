// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

/** A FlinkDeployment of {@code examples/}, which the build puts into the jar. */
enum Example {
    /** A job in Flink's own image, without state that would outlive it. */
    FIRST("first", false),
    /** A job in the image of the example jobs, whose state is on a volume and counts records. */
    STATEFUL("stateful", true);

    private final String resource;
    private final boolean keepsState;

    Example(String resource, boolean keepsState) {
        this.resource = resource;
        this.keepsState = keepsState;
    }

    /** The name of the FlinkDeployment, which is that of its file too. */
    String resource() {
        return resource;
    }

    /**
     * Whether it needs a volume, runs in the image of the example jobs, and can tell how many
     * records were lost.
     */
    boolean keepsState() {
        return keepsState;
    }

    /** For people. */
    String file() {
        return "examples/" + resource + ".yaml";
    }
}
