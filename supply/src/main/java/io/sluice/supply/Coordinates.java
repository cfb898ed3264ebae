// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where Maven finds a component: {@code group:artifact} and its version. */
record Coordinates(String group, String artifact, String version) {
    private static final Pattern PURL = Pattern.compile("pkg:maven/([^/]+)/([^@]+)@([^?]+).*");
    private static final Pattern NOTICE =
            Pattern.compile("- ([\\w.-]+):([\\w.-]+):(?:[\\w.-]+:)?(\\d[\\w.-]*)");

    /** What a package URL of a Maven component names. */
    static Optional<Coordinates> ofPurl(String purl) {
        return of(PURL.matcher(purl));
    }

    /** What a line of a NOTICE file names, in the form in which Flink lists what a jar bundles. */
    static Optional<Coordinates> ofNotice(String line) {
        return of(NOTICE.matcher(line.strip()));
    }

    private static Optional<Coordinates> of(Matcher matcher) {
        return matcher.matches()
                ? Optional.of(new Coordinates(matcher.group(1), matcher.group(2), matcher.group(3)))
                : Optional.empty();
    }

    String name() {
        return group + ":" + artifact;
    }

    String purl() {
        return "pkg:maven/" + group + "/" + artifact + "@" + version;
    }

    /** The file that Maven copies this component to. */
    String file() {
        return artifact + "-" + version + ".jar";
    }
}
