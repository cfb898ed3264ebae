// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.cluster.ResourceReader;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes what the documentation says to do plain text, with the names of a resource in its commands.
 *
 * @param kind of the resource
 * @param namespace as the API server has it
 * @param name as the API server has it
 * @param cluster the name of its Deployment
 */
record Remedy(ResourceKind kind, String namespace, String name, String cluster) {
    private static final String KUBECTL = "kubectl ";
    private static final Pattern LINK = Pattern.compile("\\[([^{\\[\\]]*+)\\]\\(([^()\\s]*+)\\)");
    private static final Pattern CODE = Pattern.compile("`([^`]*+)`");

    /** The names that stand for the resource on the page, and for its cluster. */
    private static final Pattern EXAMPLE =
            Pattern.compile("(?<![\\w.-])(?:orders|nightly|session|<name>)(?![\\w.])");

    private static final List<String> OF_CLUSTERS =
            List.of("deployment/", "app=", "target.session=");

    private static final Pattern DEPLOYMENT = Pattern.compile("\\bflinkdep(?= |/)");

    static Remedy of(RawResource resource) {
        String name = resource.getMetadata().getName();
        String cluster =
                resource.kind() == ResourceKind.FLINK_SESSION_JOB
                        ? Optional.ofNullable(resource.getSpec())
                                .map(spec -> spec.path("deploymentName").asText(""))
                                .filter(it -> ResourceReader.NAME.matcher(it).matches())
                                .orElse("CLUSTER")
                        : name;
        return new Remedy(resource.kind(), resource.getMetadata().getNamespace(), name, cluster);
    }

    /**
     * A text in one line.
     *
     * @param markdown from docs/troubleshoot.md
     */
    String text(String markdown) {
        String linked = LINK.matcher(markdown).replaceAll(found -> quoted(link(found)));
        return CODE.matcher(linked).replaceAll(found -> quoted(code(found.group(1))));
    }

    private static String link(MatchResult found) {
        String target = found.group(2);
        String place = target.startsWith("#") ? "troubleshoot.md" + target : target;
        boolean isElsewhere = place.contains("://") || place.startsWith("..");
        return found.group(1) + " (" + (isElsewhere ? place : "docs/" + place) + ")";
    }

    private String code(String code) {
        String named = EXAMPLE.matcher(code).replaceAll(found -> quoted(named(code, found)));
        String kinded =
                kind == ResourceKind.FLINK_SESSION_JOB
                        ? DEPLOYMENT.matcher(named).replaceAll("sessionjob")
                        : named;
        return placed(kinded);
    }

    private String named(String code, MatchResult found) {
        String before = code.substring(0, found.start());
        if (OF_CLUSTERS.stream().anyMatch(before::endsWith)) {
            return cluster;
        }
        return found.group().equals("session") ? found.group() : name;
    }

    /** A command in the resource's namespace, unless it names one. */
    private String placed(String command) {
        if (command.contains(" -n ") || command.contains(" -A")) {
            return command;
        }
        if (command.startsWith(KUBECTL)) {
            return KUBECTL + "-n " + namespace + " " + command.substring(KUBECTL.length());
        }
        return command.startsWith("./sluice bluegreen ") ? command + " -n " + namespace : command;
    }

    private static String quoted(String text) {
        return Matcher.quoteReplacement(text);
    }
}
