// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.model.SavepointLocation;
import io.sluice.operator.statesnapshot.SnapshotObservedState.JobOptions;
import io.sluice.operator.statesnapshot.SnapshotObservedState.Need;
import io.sluice.rules.config.Redaction;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In which fields a resource names a savepoint that must not be deleted. */
class NeededSavepointsTest {
    private static final String OF_PAIR =
            "'{\"spec\":{\"template\":{\"spec\":{\"job\":"
                    + "{\"initialSavepointPath\":\"file:/s/1\"}}}}}'";

    private static final URI AT = URI.create("http://orders-rest.shop:8081");
    private static final String PATH = SavepointLocation.normal("file:///s/1");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{jobStatus: {upgradeSavepointPath: 'file:/s/1'}}",
                "{jobStatus: {savepointInfo: {lastSavepoint: {location: 'file:///s/1/'}}}}",
                "{attempt: {lastCheckpoint: 'file:/s/1'}}",
                "{attempt: {replaced: {lastCheckpoint: 'file:/s/1'}}}",
                "{reconciliationStatus: {lastReconciledSpec: "
                        + "'{\"spec\":{\"job\":{\"initialSavepointPath\":\"file:/s/1\"}}}'}}",
                "{reconciliationStatus: {lastStableSpec: "
                        + "'{\"spec\":{\"job\":{\"initialSavepointPath\":\"file:/s/1\"}}}'}}"
            })
    void aStatusNamesIt(String status) {
        assertThat(NeededSavepoints.named(resource("{job: {}}", status), PATH))
                .hasValueSatisfying(by -> assertThat(by).contains("FlinkDeployment orders"));
    }

    @Test
    void aSpecNamesIt() {
        assertThat(
                        NeededSavepoints.named(
                                resource("{job: {initialSavepointPath: 'file:/s/1'}}", "{}"), PATH))
                .hasValueSatisfying(by -> assertThat(by).contains("spec.job.initialSavepointPath"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{transition: {savepoint: {path: 'file:/s/1'}}}",
                "{registration: {path: 'file:/s/1'}}",
                "{lastReconciledSpec: " + OF_PAIR + "}",
                "{activeSpec: " + OF_PAIR + "}",
                "{transition: {spec: " + OF_PAIR + "}}"
            })
    void aStatusOfAPairNamesIt(String status) {
        var pair = new FlinkBlueGreenDeployment();
        pair.getMetadata().setName("orders");
        pair.setSpec(yaml("{template: {spec: {job: {}}}}"));
        pair.setStatus(yaml(status));

        assertThat(NeededSavepoints.named(pair, PATH))
                .hasValueSatisfying(
                        by -> assertThat(by).contains("FlinkBlueGreenDeployment orders"));
        pair.setStatus(yaml("{}"));
        assertThat(NeededSavepoints.named(pair, PATH)).isEmpty();
        pair.setSpec(yaml("{template: {spec: {job: {initialSavepointPath: 'file:/s/1'}}}}"));
        assertThat(NeededSavepoints.named(pair, PATH)).isPresent();
    }

    /** As the spec of a half has it. */
    @Test
    void aSpecNamesItWithoutScheme() {
        assertThat(
                        NeededSavepoints.named(
                                resource("{job: {initialSavepointPath: /s/1}}", "{}"), PATH))
                .isPresent();
    }

    @Test
    void looksAtPairsOnlyWhereTheyAreServed() {
        var api = new InMemoryApiServer(1, InstantSource.system());
        String namespace = api.newNamespace();
        var pair = new FlinkBlueGreenDeployment();
        pair.getMetadata().setNamespace(namespace);
        pair.getMetadata().setName("orders");
        pair.setSpec(yaml("{template: {spec: {job: {initialSavepointPath: 'file:/s/1'}}}}"));
        api.client().resource(pair).create();
        var job =
                SnapshotJob.without(
                        new SnapshotTarget.Gone(), Redaction.of(FlinkConfiguration.EMPTY));

        assertThat(
                        new NeededSavepoints(api.client(), new FakeJobManager(), true)
                                .of(namespace, "file:/s/1", job))
                .isInstanceOf(Need.Needed.class);
        assertThat(
                        new NeededSavepoints(api.client(), new FakeJobManager(), false)
                                .of(namespace, "file:/s/1", job))
                .isInstanceOf(Need.NotNeeded.class);
    }

    @Test
    void anotherSavepointIsNotIt() {
        assertThat(
                        NeededSavepoints.named(
                                resource(
                                        "{job: {initialSavepointPath: 'file:/s/2'}}",
                                        "{jobStatus: {upgradeSavepointPath: 'file:/s/11'}}"),
                                PATH))
                .isEmpty();
        assertThat(NeededSavepoints.named(new FlinkDeployment(), PATH)).isEmpty();
    }

    /** A JobManager that has just started knows no job, and recovers it from there. */
    @Test
    void aJobThatItsJobManagerDoesNotListYetMayNeedIt() {
        var target = new SnapshotTarget.Busy(SnapshotTarget.With.DEPLOYMENT);

        assertThat(needOf(target)).isEqualTo(new Need.Unread());
        assertThat(needOf(new SnapshotTarget.Ended("the job is FINISHED")))
                .isEqualTo(new Need.NotNeeded());
    }

    private static Need needOf(SnapshotTarget target) {
        var api = new InMemoryApiServer(1, InstantSource.system());
        var jobManagers = new FakeJobManager();
        jobManagers.start(AT);
        return new NeededSavepoints(api.client(), jobManagers, true)
                .of(
                        api.newNamespace(),
                        "file:/s/1",
                        new SnapshotJob(
                                target,
                                Optional.of("000000000000000000000000000000aa"),
                                Optional.of(AT),
                                JobOptions.NONE,
                                Redaction.of(FlinkConfiguration.EMPTY)));
    }

    private static FlinkDeployment resource(String spec, String status) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setName("orders");
        resource.setSpec(yaml(spec));
        resource.setStatus(yaml(status));
        return resource;
    }

    private static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(text);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
