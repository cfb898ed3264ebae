// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugin.example;

import io.sluice.plugin.Problem;
import io.sluice.plugin.Resource;
import io.sluice.plugin.Validator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Images come from one registry, which the option {@code registry} names. */
public final class TrustedRegistry implements Validator {
    /** Good enough without a library; a real plugin brings a JSON parser of its own. */
    private static final Pattern IMAGE = Pattern.compile("\"image\"\\s*:\\s*\"([^\"]*)\"");

    private volatile String registry = "";

    @Override
    public void configure(Map<String, String> options) {
        registry = options.getOrDefault("registry", "");
        if (registry.isEmpty()) {
            throw new IllegalArgumentException("the option registry is missing; name a registry");
        }
    }

    @Override
    public List<Problem> check(Resource resource) {
        Matcher image = IMAGE.matcher(resource.json());
        return image.find() && !image.group(1).startsWith(registry + "/")
                ? List.of(
                        new Problem(
                                "spec.image", "comes from elsewhere; use an image of " + registry))
                : List.of();
    }
}
