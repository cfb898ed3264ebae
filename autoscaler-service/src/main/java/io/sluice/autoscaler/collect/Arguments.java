// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.spec.FlinkConfiguration;
import java.util.HashMap;
import java.util.Map;

/**
 * The process's command line: {@code [--standalone [--KEY VALUE]...]}.
 *
 * @param options go before those of the configuration folder
 */
public record Arguments(boolean standalone, FlinkConfiguration options) {
    private static final String STANDALONE = "--standalone";

    /** Throws {@link IllegalArgumentException} that names the argument and a remedy. */
    public static Arguments of(String... arguments) {
        if (arguments.length == 0) {
            return new Arguments(false, FlinkConfiguration.EMPTY);
        }
        if (!arguments[0].equals(STANDALONE)) {
            throw new IllegalArgumentException(
                    "argument '" + arguments[0] + "': only --standalone may come first");
        }
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i < arguments.length; i += 2) {
            String key = arguments[i];
            if (!key.startsWith("--") || key.length() == 2) {
                throw new IllegalArgumentException(
                        "argument '"
                                + key
                                + "': write --KEY VALUE, with a key of Flink or of"
                                + " autoscaler.standalone.");
            }
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(
                        "argument '" + key + "' has no value: write " + key + " VALUE");
            }
            options.put(key.substring(2), arguments[i + 1]);
        }
        return new Arguments(true, new FlinkConfiguration(options));
    }
}
