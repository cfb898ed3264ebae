// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import io.sluice.rules.jar.ArtifactPolicy;
import io.sluice.rules.jar.JarUri;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Looks a host up once and hands on what may be connected to: the connection is made to the very
 * address that was looked at, so that a name that changes its mind leads nowhere else.
 */
record CheckedAddresses(ArtifactPolicy policy) implements DnsResolver {
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        String name =
                JarUri.parse("http://" + (host.contains(":") ? "[" + host + "]" : host))
                        .flatMap(JarUri::host)
                        .orElse(host);
        InetAddress[] all = InetAddress.getAllByName(host);
        InetAddress[] allowed =
                Arrays.stream(all)
                        .filter(address -> policy.allows(name, address))
                        .toArray(InetAddress[]::new);
        if (allowed.length == 0) {
            throw new UnknownHostException(host + " " + ArtifactPolicy.restriction(all[0]));
        }
        return allowed;
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }
}
