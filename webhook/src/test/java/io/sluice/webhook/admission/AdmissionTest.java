// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.Violation;
import io.sluice.webhook.Reviews;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private static final String SESSION_JOB =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkSessionJob
            metadata: {name: report, namespace: default}
            spec:
              deploymentName: orders
              job: {jarURI: "https://repo.example.org/job.jar", parallelism: 2}
            """;

    private final Admission admission = new Admission(DefaultConfiguration.NONE);

    @Test
    void allowsAValidDeploymentWithoutAWord() {
        assertThat(validate(Reviews.create(valid()))).isEqualTo(Verdict.allowed());
    }

    @Test
    void refusesWithEveryViolation() {
        var verdict = validate(Reviews.create(Reviews.yaml(Reviews.INVALID)));

        assertThat(rules(verdict))
                .containsExactly(
                        "name-format",
                        "service-account-required",
                        "flink-version-unsupported",
                        "forbidden-config-key",
                        "config-value-type",
                        "parallelism-min",
                        "standby-jm-needs-ha",
                        "jm-memory-parse",
                        "tm-request-within-limit",
                        "stateful-needs-checkpoint-dir",
                        "savepoint-mode-needs-dir");
    }

    @Test
    void letsMetadataOfAnOldInvalidResourceChange() {
        var old = Reviews.yaml(Reviews.INVALID);
        var changed = old.deepCopy();
        changed.withObjectProperty("metadata").putArray("finalizers").add("x");

        assertThat(validate(Reviews.update(old, changed))).isEqualTo(Verdict.allowed());
        assertThat(mutate(Reviews.update(old, changed))).isEqualTo(Verdict.allowed());
    }

    @Test
    void checksAScheduleThatIsAnnotatedLater() {
        var plain = valid();
        var nightly = annotated(plain, "job.execute.cron", "30 2 * * *");
        var wrong = annotated(nightly, "job.execute.cron", "every night");
        var elsewhere = annotated(nightly, "job.execute.cron.time-zone", "Berlin");

        assertThat(validate(Reviews.update(plain, nightly))).isInstanceOf(Verdict.Allowed.class);
        assertThat(rules(validate(Reviews.update(nightly, wrong))))
                .containsExactly("cron-expression");
        assertThat(rules(validate(Reviews.update(nightly, elsewhere))))
                .containsExactly("cron-options");
        assertThat(validate(Reviews.update(wrong, annotated(wrong, "team", "orders"))))
                .isEqualTo(Verdict.allowed());
        assertThat(validate(Reviews.update(wrong, plain))).isEqualTo(Verdict.allowed());
    }

    @Test
    void aResourceThatHasRunGetsNoSchedule() {
        var deployed = valid();
        deployed.putObject("status")
                .putObject("reconciliationStatus")
                .put("lastReconciledSpec", "{\"spec\":{\"job\":{}},\"resource_metadata\":{}}");

        assertThat(
                        rules(
                                validate(
                                        Reviews.update(
                                                deployed,
                                                annotated(
                                                        deployed,
                                                        "job.execute.cron",
                                                        "30 2 * * *")))))
                .containsExactly("cron-on-new-resource");
    }

    private static ObjectNode annotated(ObjectNode resource, String annotation, String value) {
        ObjectNode copy = resource.deepCopy();
        copy.withObject("/metadata/annotations").put(annotation, value);
        return copy;
    }

    @Test
    void filledInDefaultsAreNoChangeOfTheSpec() {
        var old = Reviews.yaml(Reviews.INVALID);
        var changed = old.deepCopy();
        ((ObjectNode) changed.at("/spec/job")).put("state", "running");

        assertThat(validate(Reviews.update(old, changed))).isEqualTo(Verdict.allowed());
    }

    @Test
    void checksAChangedSpecAgainstWhatTheOperatorLastTookUp() {
        var deployed = valid();
        deployed.putObject("status")
                .putObject("reconciliationStatus")
                .put("lastReconciledSpec", "{\"spec\":{\"job\":{}},\"resource_metadata\":{}}");
        var changed = deployed.deepCopy();
        ((ObjectNode) changed.get("spec")).remove("job");

        assertThat(rules(validate(Reviews.update(deployed, changed))))
                .containsExactly("no-job-to-session");
    }

    @Test
    void allowsDeletion() {
        assertThat(validate(Reviews.delete(Reviews.yaml(Reviews.INVALID))))
                .isEqualTo(Verdict.allowed());
    }

    @Test
    void allowsCanaries() {
        var canary = Reviews.yaml(Reviews.INVALID);
        canary.withObjectProperty("metadata")
                .putObject("labels")
                .put("flink.apache.org/canary", "true");
        assertThat(validate(Reviews.create(canary))).isEqualTo(Verdict.allowed());
    }

    @Test
    void theLabelOfACanarySparesNobodyElseTheChecks() {
        var tenant = canary(valid());
        tenant.withObjectProperty("metadata").put("namespace", "tenant");
        var invalid = tenant.deepCopy();
        ((ObjectNode) invalid.get("spec")).remove("serviceAccount");

        assertThat(rules(validate(Reviews.create(tenant)))).containsExactly("canary-configured");
        assertThat(rules(validate(Reviews.create(invalid))))
                .containsExactly("service-account-required", "canary-configured");
        assertThat(validate(Reviews.update(valid(), tenant))).isInstanceOf(Verdict.Refused.class);
        assertThat(validate(Reviews.update(tenant, statusOf(tenant)))).isEqualTo(Verdict.allowed());
    }

    @Test
    void checksACanaryThatLosesItsLabel() {
        var canary = canary(Reviews.yaml(Reviews.INVALID));

        assertThat(validate(Reviews.create(canary))).isEqualTo(Verdict.allowed());
        assertThat(validate(Reviews.update(canary, Reviews.yaml(Reviews.INVALID))))
                .isInstanceOf(Verdict.Refused.class);
        assertThat(validate(Reviews.update(canary(valid()), valid())))
                .isInstanceOf(Verdict.Allowed.class);
    }

    private static ObjectNode canary(ObjectNode resource) {
        resource.withObject("/metadata/labels").put("flink.apache.org/canary", "true");
        return resource;
    }

    private static ObjectNode statusOf(ObjectNode resource) {
        ObjectNode copy = resource.deepCopy();
        copy.putObject("status").put("error", "none");
        return copy;
    }

    @Test
    void reviewsTheOtherKindsToo() {
        var job = Reviews.yaml(SESSION_JOB);
        assertThat(validate(Reviews.create(job))).isInstanceOf(Verdict.Allowed.class);

        ((ObjectNode) job.at("/spec/job")).put("jarURI", "https://169.254.169.254/latest");

        assertThat(rules(validate(Reviews.create(job)))).containsExactly("jar-uri-host-restricted");
    }

    @Test
    void asksForWhatAResourceRefersTo() {
        var finding =
                new Admission(
                        DefaultConfiguration.NONE,
                        (_, namespace, name) ->
                                namespace.equals("default") && name.equals("orders")
                                        ? new Lookup.Found(valid())
                                        : new Lookup.Absent());

        assertThat(
                        rules(
                                finding.judge(
                                                AdmissionRequest.read(
                                                                Reviews.create(
                                                                        Reviews.yaml(SESSION_JOB)))
                                                        .orElseThrow())
                                        .validated()))
                .containsExactly("session-job-needs-session-cluster");
    }

    @Test
    void refusesUnknownKindsOfItsGroup() {
        var other = valid().put("kind", "FlinkSomething");
        assertThat(validate(Reviews.create(other)))
                .isEqualTo(new Verdict.Unknown("FlinkSomething"));
    }

    @Test
    void refusesKindsOfOtherGroupsByName() {
        var pod = valid().put("apiVersion", "apps/v1").put("kind", "Deployment");
        assertThat(validate(Reviews.create(pod))).isEqualTo(new Verdict.Unknown("Deployment"));
    }

    @Test
    void warnsOfWhatThisVersionDoesNotDo() {
        var resource = valid();
        var spec = (ObjectNode) resource.get("spec");
        spec.put("flinkVersion", "v1_18");
        spec.putObject("flinkConfiguration").put("execution.checkpointing.dir", "s3://c");
        spec.withObjectProperty("job").put("upgradeMode", "last-state");

        var verdict = (Verdict.Allowed) validate(Reviews.create(resource));

        assertThat(verdict.warnings())
                .satisfiesExactly(text -> assertThat(text).contains("'v1_18' is deprecated"))
                .allSatisfy(text -> assertThat(text).hasSizeLessThan(256));
    }

    @Test
    void warnsOfAValueWhenItIsWrittenAndNotWithEachEdit() {
        var before = valid();
        ((ObjectNode) before.get("spec"))
                .putObject("flinkConfiguration")
                .put("kubernetes.operator.metrics.reporters", "slf4j");
        var after = before.deepCopy();
        ((ObjectNode) after.get("spec")).put("image", "flink:1.20.1");

        var created = (Verdict.Allowed) validate(Reviews.create(before));
        var edited = (Verdict.Allowed) validate(Reviews.update(before, after));

        assertThat(created.warnings()).singleElement().asString().contains("no reporters");
        assertThat(edited.warnings()).isEmpty();
    }

    @Test
    void completesWhatIsMissing() {
        var verdict = mutate(Reviews.create(valid()));

        assertThat(verdict).isInstanceOf(Verdict.Completed.class);
        assertThat(((Verdict.Completed) verdict).patch()).hasSize(2);
    }

    @Test
    void refusesBeforeTheSchemaOfTheServerSpeaks() {
        var request = Reviews.create(Reviews.yaml(Reviews.INVALID));

        assertThat(mutate(request)).isEqualTo(validate(request));
    }

    @Test
    void completesASessionJobWithItsLabel() {
        var verdict = (Verdict.Completed) mutate(Reviews.create(Reviews.yaml(SESSION_JOB)));

        assertThat(verdict.patch().toString()).contains("target.session");
    }

    @Test
    void warnsShortlyAndNotTooOften() {
        var resource = valid();
        var configuration = ((ObjectNode) resource.get("spec")).putObject("flinkConfiguration");
        for (int i = 0; i < 20; i++) {
            configuration.put("my.password." + "x".repeat(300) + i, "hush");
        }

        var verdict = (Verdict.Allowed) validate(Reviews.create(resource));

        assertThat(verdict.warnings())
                .hasSize(6)
                .allSatisfy(text -> assertThat(text).hasSizeLessThan(256).doesNotContain("hush"))
                .last()
                .asString()
                .isEqualTo("and 15 more warnings; sluice lint shows them all");
    }

    @Test
    void answersOnlyReviewsOfItsVersion() {
        var review = Reviews.create(valid());
        assertThat(AdmissionRequest.read(review)).isPresent();
        assertThat(AdmissionRequest.read(review.deepCopy().put("kind", "Pod"))).isEmpty();
        assertThat(
                        AdmissionRequest.read(
                                review.deepCopy().put("apiVersion", "admission.k8s.io/v1beta1")))
                .isEmpty();
    }

    private static ObjectNode valid() {
        return Reviews.yaml(Reviews.VALID);
    }

    private Verdict validate(ObjectNode review) {
        return admission.judge(review.toString().getBytes(UTF_8)).orElseThrow().validated();
    }

    private Verdict mutate(ObjectNode review) {
        return admission.judge(AdmissionRequest.read(review).orElseThrow()).mutated();
    }

    private static List<String> rules(Verdict verdict) {
        return ((Verdict.Refused) verdict).violations().stream().map(Violation::rule).toList();
    }
}
