// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.jar;

import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ArtifactOptions;
import io.sluice.rules.config.option.Option;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Which jars the operator may fetch, by its own configuration alone: what a resource says of itself
 * does not count.
 *
 * @param schemes in lower case
 * @param guarded whether addresses of the operator's own network are off limits
 * @param hosts the only hosts that may be asked, {@code *.} in front for all below; empty for every
 *     public one, for which {@code *} stands in a list. One that is listed otherwise may have a
 *     private address
 * @param maxBytes the largest jar
 * @param timeout for one jar, all redirects included
 * @param maxRedirects how often a host may redirect
 * @param maxHeaderBytes of one line of a response's head
 * @param fileSystems where the operator asks for what Flink's file systems read; empty if it can't
 */
public record ArtifactPolicy(
        List<String> schemes,
        boolean guarded,
        List<String> hosts,
        long maxBytes,
        Duration timeout,
        int maxRedirects,
        int maxHeaderBytes,
        Optional<String> fileSystems) {
    private static final String OWN_NETWORK =
            "leads to the operator's own network; publish the jar on a host that everyone reaches,"
                    + " or ask for the host in "
                    + ArtifactOptions.ALLOWED_HOSTS.key();

    private static final String OWN_MACHINE =
            "leads to the operator's own machine, or to a service that hands out credentials, which"
                    + " no list allows; publish the jar on another host";

    private static final int LARGEST_MAX_HEADER = 1024 * 1024;

    /** An entry of the list of hosts: every public one. It makes no private address allowed. */
    private static final String ANY_PUBLIC = "*";

    public ArtifactPolicy {
        schemes = List.copyOf(schemes);
        hosts = List.copyOf(hosts);
    }

    /** One with the usual bounds of redirects and heads. */
    public ArtifactPolicy(
            List<String> schemes,
            boolean guarded,
            List<String> hosts,
            long maxBytes,
            Duration timeout) {
        this(
                schemes,
                guarded,
                hosts,
                maxBytes,
                timeout,
                ArtifactOptions.MAX_REDIRECTS.otherwise(),
                (int) ArtifactOptions.MAX_HEADER_SIZE.otherwise().bytes(),
                Optional.empty());
    }

    /**
     * @param granted what the operator's configuration says for the namespace
     */
    public static ArtifactPolicy of(Options granted) {
        return new ArtifactPolicy(
                words(granted, ArtifactOptions.ALLOWED_SCHEMES),
                granted.get(ArtifactOptions.DISALLOW_RESTRICTED_HOSTS),
                words(granted, ArtifactOptions.ALLOWED_HOSTS),
                granted.get(ArtifactOptions.MAX_SIZE).bytes(),
                granted.get(ArtifactOptions.TIMEOUT),
                Math.max(0, granted.get(ArtifactOptions.MAX_REDIRECTS)),
                (int)
                        Math.min(
                                granted.get(ArtifactOptions.MAX_HEADER_SIZE).bytes(),
                                LARGEST_MAX_HEADER),
                granted.get(ArtifactOptions.FILE_SYSTEMS));
    }

    private static List<String> words(Options granted, Option<List<String>> option) {
        return granted.get(option).stream().map(each -> each.toLowerCase(Locale.ROOT)).toList();
    }

    /** Whether {@code host}, as {@link JarUri} normalises it, may be asked at all. */
    public boolean allows(String host) {
        return hosts.isEmpty() || hosts.contains(ANY_PUBLIC) || isListed(host);
    }

    /** What to say of {@code host} if it {@link #isOffLimits}, for people; empty if it is not. */
    public Optional<String> restriction(String host) {
        if (!isOffLimits(host)) {
            return Optional.empty();
        }
        return Optional.of(RestrictedHost.isNeverAllowed(host) ? OWN_MACHINE : OWN_NETWORK);
    }

    /** The same of an {@code address} to which no connection may be made. */
    public static String restriction(InetAddress address) {
        return RestrictedHost.isNeverAllowed(address) ? OWN_MACHINE : OWN_NETWORK;
    }

    /** Whether {@code host}, by its spelling alone, leads to where the guard lets nobody go. */
    public boolean isOffLimits(String host) {
        return guarded
                && (isListed(host) ? RestrictedHost.isNeverAllowed(host) : RestrictedHost.is(host));
    }

    /** Whether a connection to {@code address}, which {@code host} resolved to, may be made. */
    public boolean allows(String host, InetAddress address) {
        if (!guarded) {
            return true;
        }
        return isListed(host)
                ? !RestrictedHost.isNeverAllowed(address)
                : !RestrictedHost.isRestricted(address);
    }

    private boolean isListed(String host) {
        return hosts.stream()
                .anyMatch(
                        each ->
                                each.startsWith("*.")
                                        ? host.endsWith(each.substring(1))
                                        : host.equals(each));
    }

    /** What {@code text} may not be fetched for, by its address alone; one line for people. */
    public Optional<String> objection(String text) {
        Optional<JarUri> uri = JarUri.parse(text);
        if (uri.isEmpty() || uri.get().scheme().isEmpty()) {
            return Optional.of("is not a URI with a scheme");
        }
        Optional<String> scheme = schemeObjection(uri.get());
        if (scheme.isPresent()) {
            return scheme;
        }
        Optional<String> host = uri.get().host();
        if (host.isEmpty()) {
            return Optional.of("names no host");
        }
        Optional<String> restriction = restriction(host.get());
        return restriction.isPresent() ? restriction : hostObjection(uri.get());
    }

    /** What is wrong with the scheme of {@code uri}, which has one; one line for people. */
    public Optional<String> schemeObjection(JarUri uri) {
        if (uri.scheme().filter(schemes::contains).isEmpty()) {
            return Optional.of(
                    "has a scheme that is not allowed; use "
                            + String.join(", ", schemes)
                            + ", or ask for it in "
                            + ArtifactOptions.ALLOWED_SCHEMES.key());
        }
        if (uri.isHttp()) {
            return Optional.empty();
        }
        if (uri.isOfThePod()) {
            return Optional.of(
                    "names a file of the operator's own pod, which it does not read; publish the"
                            + " jar on a web server, or leave jarURI out, put the jar into the"
                            + " cluster's image below /opt/flink/usrlib or lib, and name"
                            + " spec.job.entryClass");
        }
        return fileSystems.isPresent()
                ? Optional.empty()
                : Optional.of(
                        "is read by one of Flink's file systems, which the operator does not have;"
                                + " ask the platform team to set jarFileSystems in the values of"
                                + " the chart, or publish the jar over https");
    }

    /** Why {@code uri} may not be read from its host; one line for people. */
    public Optional<String> hostObjection(JarUri uri) {
        Optional<String> host = uri.host();
        if (uri.isHttp()) {
            return host.filter(each -> !allows(each))
                    .map(
                            _ ->
                                    "is on a host that is not allowed; publish the jar on one that"
                                            + " is, or ask for it in "
                                            + ArtifactOptions.ALLOWED_HOSTS.key());
        }
        if (!uri.isPlain()) {
            return Optional.of(
                    "does not name its bucket or host plainly; write it like"
                            + " s3://bucket/folder/job.jar");
        }
        return host.filter(this::isListed).isPresent()
                ? Optional.empty()
                : Optional.of(
                        "is in a bucket or on a host that "
                                + ArtifactOptions.ALLOWED_HOSTS.key()
                                + " does not list by its name; ask for it there");
    }

    /**
     * The address that the operator asks for {@code text}, where one of Flink's file systems reads
     * that; empty for http and https.
     */
    public Optional<URI> request(String text) {
        return fileSystems
                .filter(_ -> JarUri.parse(text).filter(uri -> !uri.isHttp()).isPresent())
                .map(
                        server ->
                                URI.create(
                                        server
                                                + "/file?uri="
                                                + URLEncoder.encode(text, StandardCharsets.UTF_8)));
    }
}
