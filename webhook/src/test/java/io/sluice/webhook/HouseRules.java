// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.sluice.plugin.Mutator;
import io.sluice.plugin.Problem;
import io.sluice.plugin.Resource;
import io.sluice.plugin.Validator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A plugin for a test: it refuses one image, and puts another in the place of one more. It does not
 * return for two others, whatever interrupts it.
 */
public final class HouseRules implements Validator, Mutator {
    private volatile String forbidden = "";

    @Override
    public void configure(Map<String, String> options) {
        forbidden = options.getOrDefault("forbidden", "");
    }

    @Override
    public List<Problem> check(Resource resource) {
        hangAt("flink:validator-hangs", resource);
        return resource.json().contains("\"" + forbidden + "\"")
                ? List.of(new Problem("spec.image", "not in this house"))
                : List.of();
    }

    @Override
    public Optional<String> complete(Resource resource) {
        hangAt("flink:mutator-hangs", resource);
        return resource.json().contains("flink:1.20.5")
                ? Optional.of("{\"image\":\"house/flink\",\"job\":{}}")
                : Optional.empty();
    }

    private static void hangAt(String image, Resource resource) {
        while (resource.json().contains("\"" + image + "\"")) {
            LockSupport.parkNanos(50_000_000);
        }
    }
}
