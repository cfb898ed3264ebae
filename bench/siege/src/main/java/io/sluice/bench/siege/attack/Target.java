// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.attack;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/**
 * What the attackers' process is told.
 *
 * @param kubeconfig an administrator's
 * @param jobManagers the port at which JobManagers answer
 * @param https the webhook's port
 * @param plain ports of {@code /healthz} and {@code /metrics}
 * @param connections how many idle TLS connections are to be held
 * @param halfRequests how many requests without an end
 */
public record Target(
        String kubeconfig,
        int jobManagers,
        int https,
        List<Integer> plain,
        int connections,
        int halfRequests) {
    public Target {
        plain = List.copyOf(plain);
    }

    public void write(Path file) throws IOException {
        var values = new Properties();
        values.setProperty("kubeconfig", kubeconfig);
        values.setProperty("jobManagers", "" + jobManagers);
        values.setProperty("https", "" + https);
        values.setProperty("plain", String.join(",", plain.stream().map(String::valueOf).toList()));
        values.setProperty("connections", "" + connections);
        values.setProperty("halfRequests", "" + halfRequests);
        try (var out = Files.newOutputStream(file)) {
            values.store(out, "what is attacked");
        }
    }

    static Target read(Path file) throws IOException {
        var values = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            values.load(in);
        }
        return new Target(
                text(values, "kubeconfig"),
                Integer.parseInt(text(values, "jobManagers")),
                Integer.parseInt(text(values, "https")),
                Arrays.stream(text(values, "plain").split(",", -1)).map(Integer::valueOf).toList(),
                Integer.parseInt(text(values, "connections")),
                Integer.parseInt(text(values, "halfRequests")));
    }

    private static String text(Properties values, String key) {
        return Objects.requireNonNull(values.getProperty(key), key);
    }
}
