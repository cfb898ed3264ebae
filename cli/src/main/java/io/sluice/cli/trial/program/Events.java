// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial.program;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** What Kubernetes tells of the objects of a namespace. */
public final class Events {
    private static final int MOST = 6;

    private Events() {}

    /** The last few, a line each; none if they can't be read. */
    public static List<String> last(Kubectl kubectl, String namespace) {
        List<String> all =
                kubectl
                        .find(
                                "get",
                                "events",
                                "-n",
                                namespace,
                                "--sort-by=.lastTimestamp",
                                "-o",
                                "json")
                        .stream()
                        .flatMap(Kubectl::items)
                        .map(Events::text)
                        .toList();
        return all.subList(Math.max(0, all.size() - MOST), all.size());
    }

    private static String text(JsonNode event) {
        return event.path("type").asText()
                + " "
                + event.path("reason").asText()
                + " "
                + event.at("/involvedObject/kind").asText()
                + " "
                + event.at("/involvedObject/name").asText()
                + ": "
                + event.path("message").asText().strip();
    }
}
