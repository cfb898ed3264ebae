// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ArtifactOptions;
import io.sluice.rules.jar.ArtifactPolicy;
import io.sluice.rules.jar.JarUri;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a session job's jar comes from.
 *
 * @param namespace of the resource that it is for
 * @param uri as the user wrote it; empty for a job whose classes the cluster has already. {@code
 *     #sha256=<64 hexadecimal digits>} at its end pins what is fetched
 * @param headers sent to the host that the URI names and to no other; their values are secrets
 */
public record JarSource(
        String namespace,
        Optional<String> uri,
        Map<String, String> headers,
        ArtifactPolicy policy) {
    private static final Pattern PIN = Pattern.compile("#sha256=([0-9a-fA-F]{64})$");

    public JarSource {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** {@code kubernetes.operator.user.artifacts.http.header}: {@code name:value,name:value}. */
    public static Map<String, String> headers(Options effective) {
        return effective.get(ArtifactOptions.HTTP_HEADER);
    }

    /**
     * The address that is asked where one of Flink's file systems reads the jar; empty for http and
     * https.
     */
    Optional<URI> request() {
        return uri.map(PIN::matcher)
                .map(matcher -> matcher.replaceFirst(""))
                .flatMap(policy::request);
    }

    /** The digest it has to have, in lower case. */
    Optional<String> pin() {
        return uri.map(PIN::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1).toLowerCase(java.util.Locale.ROOT));
    }

    @Override
    public String toString() {
        return "JarSource[" + uri.map(JarUri::shown).orElse("none") + "]";
    }
}
