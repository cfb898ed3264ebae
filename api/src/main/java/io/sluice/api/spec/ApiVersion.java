// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

/** The group and version of all kinds. */
public final class ApiVersion {
    public static final String GROUP = "flink.apache.org";
    public static final String VERSION = "v1beta1";

    /** The value of {@code apiVersion} in a resource. */
    public static final String TEXT = GROUP + "/" + VERSION;

    private ApiVersion() {}
}
