// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A chart as Helm finds it.
 *
 * @param reference a folder, an archive, or {@code oci://...}
 * @param version of a chart in a registry; empty for the newest, or if it is no registry
 * @param plainHttp whether the registry speaks HTTP
 */
record ChartReference(String reference, Optional<String> version, boolean plainHttp) {
    private static final String SCHEME = "oci://";
    private static final String RELEASED = "/charts/sluice";
    private static final Pattern LOCAL =
            Pattern.compile("oci://(localhost|127\\.0\\.0\\.1)(:.*|/.*)?");

    /**
     * @param reference what the user named, or what this release was made for
     * @param named the version that the user named
     * @param own the version of this command line; empty in a checkout
     */
    static ChartReference of(
            String reference, Optional<String> named, Optional<String> own, boolean plainHttp) {
        boolean remote = reference.startsWith(SCHEME);
        return new ChartReference(
                reference,
                named.or(() -> remote ? own : Optional.empty()),
                plainHttp || LOCAL.matcher(reference).matches());
    }

    boolean isRemote() {
        return reference.startsWith(SCHEME);
    }

    /** How Helm is told of it. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(reference));
        version.ifPresent(each -> arguments.addAll(List.of("--version", each)));
        if (plainHttp) {
            arguments.add("--plain-http");
        }
        return List.copyOf(arguments);
    }

    /**
     * The image of the example jobs, which a release pushes beside its chart; empty if the chart is
     * not where a release puts it.
     */
    Optional<String> examplesImage() {
        if (!isRemote() || !reference.endsWith(RELEASED)) {
            return Optional.empty();
        }
        String registry =
                reference.substring(SCHEME.length(), reference.length() - RELEASED.length());
        return version.map(each -> registry + "/sluice/examples:" + each);
    }
}
