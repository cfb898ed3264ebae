// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.flink.rest.http.HostileJobManager;
import io.sluice.flink.rest.http.HostileJobManager.Attack;
import io.sluice.operator.artifact.ArtifactCache;
import io.sluice.operator.artifact.JarSource;
import io.sluice.operator.artifact.WebArtifacts;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Target.SubmissionView;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ArtifactOptions;
import io.sluice.rules.jar.ArtifactPolicy;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eight jars of one namespace that never end, over loopback, and one jar of another. */
class EndlessJarsTest {
    private static final URI AT = URI.create("http://session-rest.shop:8081");
    private static final String ATTEMPT = "attempt";
    private static final Duration TIME = Duration.ofSeconds(2);
    private static final long LARGEST = 1_000_000;

    /** Two and a half rounds of three places each, and some time for the machine. */
    private static final Duration ALL_OF_THEM = Duration.ofSeconds(30);

    @TempDir private Path folder;
    private final List<HostileJobManager> hosts = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Submissions submissions = new Submissions(threads, InstantSource.system());
    private SessionJobEffects effects;

    @BeforeEach
    void start() {
        var cache =
                ArtifactCache.of(
                        new Options(
                                new FlinkConfiguration(
                                        Map.of(
                                                "kubernetes.operator.user.artifacts.base.dir",
                                                folder.toString()))));
        FakeJobManager jobManagers = new FakeJobManager();
        var _ = jobManagers.start(AT);
        effects =
                new SessionJobEffects(
                        jobManagers,
                        new ObservationMemory(),
                        (_, _) -> {},
                        new WebArtifacts(cache, InstantSource.system()),
                        submissions,
                        _ -> true,
                        _ -> true,
                        InstantSource.system());
    }

    @AfterEach
    void stop() throws IOException {
        for (HostileJobManager host : hosts) {
            host.close();
        }
        threads.shutdownNow();
    }

    @Test
    void aGoodJarIsUploadedAtOnceAndEachEndlessOneEndsInItsTime() throws IOException {
        Map<String, Reason> expected = new LinkedHashMap<>();
        for (int round = 1; round <= 2; round++) {
            begin("greedy", "body-" + round, endlessBody());
            expected.put("body-" + round, Reason.JAR_TOO_LARGE);
            begin("greedy", "redirect-" + round, endlessRedirect());
            expected.put("redirect-" + round, Reason.JAR_REDIRECTS);
            begin("greedy", "drops-" + round, HostileJobManager.drops());
            expected.put("drops-" + round, Reason.JAR_TOO_SLOW);
            begin("greedy", "header-" + round, HostileJobManager.endlessHeaderLine());
            expected.put("header-" + round, Reason.JAR_HEADER_TOO_LARGE);
        }

        begin("modest", "good", HostileJobManager.body("what a jar is made of"));

        await().atMost(TIME)
                .untilAsserted(
                        () -> assertThat(view("good")).isInstanceOf(SubmissionView.Uploaded.class));
        await().atMost(ALL_OF_THEM)
                .untilAsserted(
                        () ->
                                assertThat(expected.keySet())
                                        .allSatisfy(
                                                uid ->
                                                        assertThat(reason(view(uid)))
                                                                .contains(expected.get(uid))));
    }

    @Test
    void whoWaitsForAPlaceIsToldWhosePlacesAreTakenAndByWhichOption() throws IOException {
        for (int i = 0; i < 4; i++) {
            begin("greedy", "drops-" + i, HostileJobManager.drops());
        }

        await().untilAsserted(
                        () ->
                                assertThat(List.of(0, 1, 2, 3))
                                        .map(i -> view("drops-" + i))
                                        .filteredOn(SubmissionView.Queued.class::isInstance)
                                        .singleElement()
                                        .asString()
                                        .contains("All 3 places of the namespace")
                                        .contains(
                                                ArtifactOptions.MAX_CONCURRENT_PER_NAMESPACE
                                                        .key()));
    }

    @Test
    void eachFailureOfAnAttemptIsCounted() throws IOException {
        for (int times = 1; times <= 3; times++) {
            begin("greedy", "again", endlessRedirect());
            int failures = times;
            await().untilAsserted(
                            () ->
                                    assertThat(view("again"))
                                            .isInstanceOfSatisfying(
                                                    SubmissionView.NotUploaded.class,
                                                    it ->
                                                            assertThat(it.failures())
                                                                    .isEqualTo(failures)));
        }
    }

    private SubmissionView view(String uid) {
        return submissions.of(uid, Optional.of(ATTEMPT));
    }

    private static Optional<Reason> reason(SubmissionView view) {
        return view instanceof SubmissionView.NotUploaded failed
                ? Optional.of(failed.reason())
                : Optional.empty();
    }

    private void begin(String namespace, String uid, Attack attack) throws IOException {
        var host = new HostileJobManager(attack);
        hosts.add(host);
        var resource = new FlinkSessionJob();
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName(uid)
                        .withUid(uid)
                        .build());
        var policy = new ArtifactPolicy(List.of("http"), false, List.of(), LARGEST, TIME);
        effects.perform(
                resource,
                AT,
                new Action.UploadJar(
                        ATTEMPT,
                        new JarSource(
                                namespace, Optional.of(host.at() + "/job.jar"), Map.of(), policy)));
    }

    private static Attack endlessRedirect() {
        return (out, _) ->
                out.write(
                        "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
    }

    private static Attack endlessBody() {
        return (out, server) -> {
            out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] piece = "x".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
            for (int sent = 0; sent < 20_000; sent++) {
                out.write(piece);
            }
        };
    }
}
