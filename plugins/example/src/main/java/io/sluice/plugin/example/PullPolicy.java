// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugin.example;

import io.sluice.plugin.Mutator;
import io.sluice.plugin.Resource;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Images are always pulled, unless a resource says otherwise. */
public final class PullPolicy implements Mutator {
    private static final Pattern SPEC = Pattern.compile("\"spec\"\\s*:\\s*\\{");

    @Override
    public Optional<String> complete(Resource resource) {
        if (!resource.kind().equals("FlinkDeployment")
                || resource.json().contains("\"imagePullPolicy\"")) {
            return Optional.empty();
        }
        Matcher spec = SPEC.matcher(resource.json());
        return spec.find()
                ? Optional.of(
                        "{\"imagePullPolicy\":\"Always\","
                                + objectFrom(resource.json(), spec.end()))
                : Optional.empty();
    }

    /** The rest of the object that begins before {@code from}. */
    private static String objectFrom(String json, int from) {
        int depth = 1;
        boolean quoted = false;
        int at = from;
        while (depth > 0) {
            char each = json.charAt(at);
            if (each == '"' && json.charAt(at - 1) != '\\') {
                quoted = !quoted;
            } else if (!quoted && each == '{') {
                depth++;
            } else if (!quoted && each == '}') {
                depth--;
            }
            at++;
        }
        return json.substring(from, at);
    }
}
