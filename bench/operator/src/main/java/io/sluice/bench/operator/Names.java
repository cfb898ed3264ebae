// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import java.net.InetAddress;

/**
 * Names of resources that are parts of loopback addresses at the same time: JobManager {@code a01f}
 * answers at 127.0.160.31, so that each has a host of its own and nobody is asked for a name.
 */
final class Names {
    private static final int FIRST = 0xa000;
    static final int MOST = 0x10000 - FIRST;

    /** The operator's {@code SLUICE_REST_TEMPLATE}: an IPv4 address the way IPv6 writes it. */
    static String template(int port) {
        return "http://[::ffff:7f00:{name}]:" + port;
    }

    private Names() {}

    static String of(int index) {
        return Integer.toHexString(FIRST + index);
    }

    /** The name of the JobManager that was asked at {@code address}. */
    static String at(InetAddress address) {
        byte[] bytes = address.getAddress();
        int low = bytes.length - 1;
        return Integer.toHexString(((bytes[low - 1] & 0xff) << 8) | (bytes[low] & 0xff));
    }
}
