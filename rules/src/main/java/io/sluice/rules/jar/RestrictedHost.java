// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.jar;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Hosts that only the operator's network position can reach. Names are compared, addresses read in
 * every spelling; nothing is looked up.
 */
public final class RestrictedHost {
    private static final Set<String> NAMES =
            Set.of(
                    "localhost.localdomain",
                    "ip6-localhost",
                    "ip6-loopback",
                    "broadcasthost",
                    "metadata",
                    "metadata.google.internal",
                    "instance-data",
                    "instance-data.ec2.internal",
                    "kubernetes",
                    "kubernetes.default",
                    "kubernetes.default.svc",
                    "kubernetes.default.svc.cluster.local");

    /** Metadata services outside the ranges below: Azure's and Oracle's. */
    private static final List<List<Integer>> METADATA =
            List.of(List.of(168, 63, 129, 16), List.of(192, 0, 0, 192));

    private RestrictedHost() {}

    /**
     * @param host as {@link JarUri} normalises it
     */
    public static boolean is(String host) {
        return host.equals("localhost")
                || host.endsWith(".localhost")
                || NAMES.contains(host)
                || addresses(host).stream().anyMatch(RestrictedHost::isRestricted);
    }

    /** As {@link #is}, but only for what {@link #isNeverAllowed} says of an address. */
    static boolean isNeverAllowed(String host) {
        return host.equals("localhost")
                || host.endsWith(".localhost")
                || NAMES.contains(host)
                || addresses(host).stream().anyMatch(RestrictedHost::isNeverAllowed);
    }

    /** Every address that some reader takes {@code host} for; none if it is a name. */
    private static List<InetAddress> addresses(String host) {
        List<InetAddress> addresses = new ArrayList<>();
        int zone = host.indexOf('%');
        String literal = zone < 0 ? host : host.substring(0, zone);
        if (literal.isEmpty() || isName(literal)) {
            return addresses;
        }
        try {
            addresses.add(InetAddress.ofLiteral(literal));
        } catch (IllegalArgumentException notOne) {
            // A name, or an address only in the older notation.
        }
        try {
            addresses.add(Inet4Address.ofPosixLiteral(literal));
        } catch (IllegalArgumentException notOne) {
            // Neither.
        }
        return addresses;
    }

    /**
     * Whether there is a letter that no address has, in whatever notation. The JDK says by
     * exceptions that a text is no address, and each jar is looked at in each reconciliation.
     */
    private static boolean isName(String host) {
        return host.chars().anyMatch(each -> 'g' <= each && each <= 'w');
    }

    /** An address that a name was resolved to; the same answer as for its literal. */
    public static boolean isRestricted(InetAddress address) {
        if (address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isAnyLocalAddress()
                || address.isMulticastAddress()) {
            return true;
        }
        byte[] bytes = address.getAddress();
        return address instanceof Inet6Address ? isRestricted6(bytes) : isRestricted4(bytes);
    }

    /**
     * Whether nobody ever publishes a jar there, not even in a private network: the process' own
     * machine, a link's neighbours, and with them the services that hand out credentials.
     */
    public static boolean isNeverAllowed(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean metadata =
                bytes.length == 4
                        && METADATA.contains(
                                List.of(
                                        bytes[0] & 0xff,
                                        bytes[1] & 0xff,
                                        bytes[2] & 0xff,
                                        bytes[3] & 0xff));
        return metadata
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isAnyLocalAddress()
                || address.isMulticastAddress();
    }

    private static boolean isRestricted4(byte[] bytes) {
        int first = bytes[0] & 0xff;
        int second = bytes[1] & 0xff;
        return first == 0
                || first >= 240
                || (first == 100 && second >= 64 && second < 128)
                || METADATA.contains(List.of(first, second, bytes[2] & 0xff, bytes[3] & 0xff));
    }

    private static boolean isRestricted6(byte[] bytes) {
        boolean uniqueLocal = (bytes[0] & 0xfe) == 0xfc;
        boolean translated =
                bytes[0] == 0
                        && bytes[1] == 0x64
                        && bytes[2] == (byte) 0xff
                        && bytes[3] == (byte) 0x9b;
        boolean teredo = bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] == 0 && bytes[3] == 0;
        return uniqueLocal || translated || teredo || embedsRestricted(bytes);
    }

    /** IPv4 at the end of an otherwise empty IPv6 address, or in a 6to4 prefix. */
    private static boolean embedsRestricted(byte[] bytes) {
        boolean compatible = true;
        for (int i = 0; i < 10; i++) {
            compatible &= bytes[i] == 0;
        }
        if (compatible) {
            return isRestricted(v4(bytes, 12));
        }
        return bytes[0] == 0x20 && bytes[1] == 0x02 && isRestricted(v4(bytes, 2));
    }

    private static InetAddress v4(byte[] bytes, int from) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + 4));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
