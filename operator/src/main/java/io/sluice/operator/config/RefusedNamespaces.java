// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The namespaces that are to be served and in which the API server refuses what the operator needs,
 * as where their RoleBinding is missing. Each is tried again after a pause that doubles. Safe for
 * several threads.
 */
public final class RefusedNamespaces {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);

    private final Function<String, Optional<String>> refusal;
    private final Report report;
    private final InstantSource clock;
    private final Map<String, Trial> refused = new TreeMap<>();
    private final Map<String, Instant> servedSince = new TreeMap<>();

    /** Who is told. Each is called once for a change. */
    public interface Report {
        /**
         * @param why as the API server says it
         */
        void refused(String namespace, String why);

        /**
         * @param again whether it was refused before
         */
        void served(String namespace, boolean again);
    }

    private record Trial(Duration pause, Instant next) {
        static Trial first(Instant now) {
            return new Trial(FIRST_PAUSE, now.plus(FIRST_PAUSE));
        }

        Trial after(Instant now) {
            Duration twice = pause.multipliedBy(2);
            Duration longer = twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
            return new Trial(longer, now.plus(longer));
        }
    }

    /**
     * @param refusal why the API server refuses what is needed in a namespace; empty if it does not
     */
    public RefusedNamespaces(
            Function<String, Optional<String>> refusal, Report report, InstantSource clock) {
        this.refusal = refusal;
        this.report = report;
        this.clock = clock;
    }

    /** Nothing is ever refused, as where all namespaces are watched by one list. */
    public static RefusedNamespaces none() {
        return new RefusedNamespaces(
                _ -> Optional.empty(),
                new Report() {
                    @Override
                    public void refused(String namespace, String why) {}

                    @Override
                    public void served(String namespace, boolean again) {}
                },
                InstantSource.system());
    }

    /** Tries them all, and says which can be served. */
    public synchronized Set<String> accepted(Set<String> names) {
        return new TreeSet<>(names).stream().filter(this::isAccepted).collect(Collectors.toSet());
    }

    /** Tries those again whose pause is over, and says which of them can be served now. */
    public synchronized Set<String> recovered() {
        Instant now = clock.instant();
        Set<String> due =
                refused.entrySet().stream()
                        .filter(each -> !each.getValue().next().isAfter(now))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet());
        return accepted(due);
    }

    /** Those that are refused now. */
    public synchronized Set<String> names() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(refused.keySet()));
    }

    /**
     * Those whose watches may be interrupted: what is refused, and what was until lately, as a
     * watch is opened again only after a pause.
     */
    public synchronized Set<String> interrupted() {
        Instant recently = clock.instant().minus(LONGEST_PAUSE);
        Set<String> names = new TreeSet<>(refused.keySet());
        servedSince.forEach(
                (name, since) -> {
                    if (since.isAfter(recently)) {
                        names.add(name);
                    }
                });
        return names;
    }

    /** Forgets those that are not to be served any more. */
    public synchronized void retain(Set<String> names) {
        refused.keySet().retainAll(names);
        servedSince.keySet().retainAll(names);
    }

    private boolean isAccepted(String namespace) {
        Optional<String> why = refusal.apply(namespace);
        Instant now = clock.instant();
        Optional<Trial> before = Optional.ofNullable(refused.get(namespace));
        if (why.isPresent()) {
            servedSince.remove(namespace);
            refused.put(
                    namespace,
                    before.map(trial -> trial.after(now)).orElseGet(() -> Trial.first(now)));
            if (before.isEmpty()) {
                report.refused(namespace, why.get());
            }
            return false;
        }
        refused.remove(namespace);
        if (!servedSince.containsKey(namespace)) {
            servedSince.put(namespace, now);
            report.served(namespace, before.isPresent());
        }
        return true;
    }
}
