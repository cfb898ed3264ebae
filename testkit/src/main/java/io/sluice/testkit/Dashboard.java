// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * One of the chart's.
 *
 * @param queries of all panels, with everything chosen where it lets people choose
 */
public record Dashboard(List<String> queries) {
    private static final Path CHART = Path.of("../helm/sluice");

    public Dashboard {
        queries = List.copyOf(queries);
    }

    /**
     * @param name of its file, without the ending
     */
    public static Dashboard read(String name) throws IOException {
        Path file = CHART.resolve("dashboards").resolve(name + ".json");
        JsonNode board = new ObjectMapper().readTree(file.toFile());
        return new Dashboard(
                StreamSupport.stream(board.path("panels").spliterator(), false)
                        .flatMap(panel -> panel.path("targets").valueStream())
                        .map(target -> target.path("expr").asText())
                        .map(Dashboard::ofAllAndSoon)
                        .toList());
    }

    /**
     * @param name as of the dashboard
     */
    public static Path alerts(String name) {
        return CHART.resolve("alerts").resolve(name + ".yaml");
    }

    private static String ofAllAndSoon(String query) {
        return query.replaceAll("\\$(namespace|name)", ".*").replace("[1h]", "[5m]");
    }
}
