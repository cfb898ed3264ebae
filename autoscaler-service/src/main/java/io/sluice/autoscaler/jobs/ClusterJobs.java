// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.jobs;

import io.prometheus.client.Gauge;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.Cluster;
import io.sluice.autoscaler.collect.EngineOptions;
import io.sluice.autoscaler.collect.Footprint;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.StandaloneOptions;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.Reply;
import io.sluice.process.metric.Series;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs of Flink clusters outside the operator's care, asked of their JobManagers again and
 * again, each on a thread of its own. What does not answer has not gone; nor has, for a while, what
 * a JobManager does not list: one that has just started lists nothing.
 */
public final class ClusterJobs implements Jobs {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterJobs.class);
    private static final Duration GONE = Duration.ofMinutes(5);
    private static final Set<String> ENDED = Set.of("FAILED", "FINISHED", "CANCELED");

    private final StandaloneOptions options;
    private final JobManagerRest rest;
    private final InstantSource uptime;
    private final Gauge up;
    private final Map<String, Listing> listings = new ConcurrentHashMap<>();
    private final ScheduledExecutorService threads;

    /** What a cluster last answered. */
    private record Listing(boolean answers, Map<JobKey, Known> jobs, Footprint taken) {
        static final Listing NONE = new Listing(false, Map.of(), Footprint.NOTHING);
    }

    private record Known(Subject subject, FlinkConfiguration options, Instant listed) {}

    public ClusterJobs(
            StandaloneOptions options, JobManagerRest rest, InstantSource uptime, Series series) {
        this.options = options;
        this.rest = rest;
        this.uptime = uptime;
        up = series.gauge("sluice_autoscaler_cluster_up");
        threads =
                Executors.newScheduledThreadPool(
                        options.clusters().size(), Thread.ofVirtual().factory());
    }

    /** Begins to ask, and returns at once. */
    public void start() {
        long pause = options.interval().toMillis();
        options.clusters()
                .keySet()
                .forEach(
                        cluster -> {
                            var _ =
                                    threads.scheduleWithFixedDelay(
                                            () -> safeAsk(cluster),
                                            0,
                                            pause,
                                            TimeUnit.MILLISECONDS);
                        });
    }

    /** Where the JobManager of a cluster answers. */
    public URI jobManagerOf(String cluster) {
        return Optional.ofNullable(options.clusters().get(cluster)).orElseThrow();
    }

    /** Each was asked; one that does not answer holds up nobody. */
    @Override
    public boolean isKnown() {
        return listings.size() == options.clusters().size();
    }

    @Override
    public List<Watched> all() {
        return listings.values().stream()
                .flatMap(listing -> listing.jobs().entrySet().stream())
                .map(job -> new Watched(job.getKey(), job.getValue()::subject))
                .toList();
    }

    @Override
    public Optional<Watched> find(JobKey key) {
        return Optional.ofNullable(listing(key.namespace()).jobs().get(key))
                .map(known -> new Watched(key, known::subject));
    }

    @Override
    public Footprint takenIn(String cluster) {
        return listing(cluster).taken();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private Listing listing(String cluster) {
        return listings.getOrDefault(cluster, Listing.NONE);
    }

    private void safeAsk(String cluster) {
        try {
            ask(cluster);
        } catch (RuntimeException failed) {
            LOG.atError().addKeyValue("cluster", cluster).setCause(failed).log("jobs not listed");
        }
    }

    /** Asks one cluster for its jobs once. */
    void ask(String cluster) {
        URI at = jobManagerOf(cluster);
        Listing before = listing(cluster);
        switch (rest.jobs(at)) {
            case Reply.Ok<List<JobOverview>>(var listed) ->
                    listings.put(cluster, listing(cluster, at, listed, before));
            case Reply.JobUnknown<List<JobOverview>> _ -> silent(cluster, before, "404");
            case Reply.Refused<List<JobOverview>>(_, var why) -> silent(cluster, before, why);
            case Reply.Unreachable<List<JobOverview>>(var why) -> silent(cluster, before, why);
            case Reply.TooLarge<List<JobOverview>>(_, var why) -> silent(cluster, before, why);
        }
        up.labels(cluster).set(listing(cluster).answers() ? 1 : 0);
    }

    private void silent(String cluster, Listing before, String why) {
        boolean news = before.answers() || !listings.containsKey(cluster);
        if (news) {
            LOG.atWarn().addKeyValue("cluster", cluster).log("its jobs are not listed: {}", why);
        }
        Map<JobKey, Known> jobs = new HashMap<>(before.jobs());
        jobs.replaceAll(
                (_, known) -> new Known(known.subject(), known.options(), uptime.instant()));
        listings.put(cluster, new Listing(false, jobs, before.taken()));
    }

    private Listing listing(String cluster, URI at, List<JobOverview> listed, Listing before) {
        Map<JobKey, Known> jobs = new HashMap<>();
        Instant now = uptime.instant();
        before.jobs()
                .forEach(
                        (key, known) -> {
                            if (known.listed().plus(GONE).isAfter(now)) {
                                jobs.put(key, missing(known));
                            }
                        });
        for (JobOverview job : listed) {
            JobKey key = JobKey.of(cluster, job.name(), job.id());
            if (ENDED.contains(job.state())) {
                jobs.remove(key);
            } else {
                FlinkConfiguration last =
                        Optional.ofNullable(jobs.get(key))
                                .map(Known::options)
                                .orElseGet(() -> withInterval(options.base()));
                jobs.put(key, known(cluster, at, job, last));
            }
        }
        if (!before.answers()) {
            LOG.atInfo().addKeyValue("cluster", cluster).log("has {} jobs", jobs.size());
        }
        return new Listing(true, jobs, taken(at, jobs));
    }

    private static Known missing(Known known) {
        return EngineOptions.isEnabled(known.options())
                ? new Known(
                        new Subject.Unsettled(
                                known.options(), "its JobManager does not list the job"),
                        known.options(),
                        known.listed())
                : known;
    }

    /**
     * @param last its options as last known
     */
    private Known known(String cluster, URI at, JobOverview job, FlinkConfiguration last) {
        FlinkConfiguration effective =
                rest.jobConfiguration(at, job.id())
                        .answer()
                        .map(FlinkConfiguration::new)
                        .map(options.base()::with)
                        .map(this::withInterval)
                        .orElse(last);
        return new Known(
                Subject.of(cluster, job.id(), job.state(), effective), effective, uptime.instant());
    }

    /** All that is looked at here is looked at in the control loop's interval. */
    private FlinkConfiguration withInterval(FlinkConfiguration one) {
        return one.with(
                new FlinkConfiguration(
                        Map.of(EngineOptions.INTERVAL_KEY, options.interval().toMillis() + " ms")));
    }

    private Footprint taken(URI at, Map<JobKey, Known> jobs) {
        return jobs.values().stream()
                .findFirst()
                .map(known -> Cluster.of("", known.options()).taskManager())
                .flatMap(
                        each ->
                                rest.taskManagers(at)
                                        .answer()
                                        .map(number -> Footprint.of(number, 1, each)))
                .orElse(Footprint.NOTHING);
    }
}
