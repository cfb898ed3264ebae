// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartupProbeTest {
    private static final String NOTHING = "";

    @ParameterizedTest
    @ValueSource(strings = {"native", "standalone"})
    void aJobManagerHasStartedOnceItsRestApiAnswers(String mode) throws Exception {
        Container main = jobManager(mode, NOTHING, NOTHING);

        Probe probe = main.getStartupProbe();
        assertThat(probe.getHttpGet().getPath()).isEqualTo("/config");
        assertThat(probe.getHttpGet().getPort()).isEqualTo(new IntOrString("rest"));
        assertThat(probe.getHttpGet().getScheme()).isNull();
        assertThat(probe.getPeriodSeconds()).isEqualTo(1);
        assertThat(probe.getFailureThreshold()).isEqualTo(Integer.MAX_VALUE);
        assertThat(main.getPorts()).extracting(ContainerPort::getName).contains("rest");
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "standalone"})
    void isAskedWithTlsWhereTheRestApiHasIt(String mode) throws Exception {
        assertThat(scheme(mode, "security.ssl.rest.enabled: true")).isEqualTo("HTTPS");
        assertThat(scheme(mode, "security.ssl.enabled: true")).isEqualTo("HTTPS");
        assertThat(scheme(mode, "security.ssl.enabled: true, security.ssl.rest.enabled: false"))
                .isNull();
    }

    @Test
    void onlyThePortIsTriedWhereAClientHasToShowACertificate() throws Exception {
        Probe probe =
                jobManager(
                                "native",
                                "security.ssl.rest.enabled: true,"
                                        + " security.ssl.rest.authentication-enabled: true",
                                NOTHING)
                        .getStartupProbe();

        assertThat(probe.getHttpGet()).isNull();
        assertThat(probe.getTcpSocket().getPort()).isEqualTo(new IntOrString("rest"));
    }

    @Test
    void goesToThePortThatTheRestApiListensOn() throws Exception {
        assertThat(
                        jobManager("native", "rest.bind-port: 9081", NOTHING)
                                .getStartupProbe()
                                .getHttpGet()
                                .getPort())
                .isEqualTo(new IntOrString(9081));
        assertThat(
                        jobManager("native", "kubernetes.hostnetwork.enabled: true", NOTHING)
                                .getStartupProbe())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "standalone"})
    void leavesTheProbeOfAPodTemplateAsItIs(String mode) throws Exception {
        Probe probe =
                jobManager(mode, NOTHING, "startupProbe: {exec: {command: [a]}}").getStartupProbe();

        assertThat(probe.getExec().getCommand()).containsExactly("a");
        assertThat(probe.getHttpGet()).isNull();
        assertThat(probe.getPeriodSeconds()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "standalone"})
    void isLeftOutWhereTheOptionIsOff(String mode) throws Exception {
        assertThat(
                        jobManager(
                                        mode,
                                        "kubernetes.operator.jm-deployment.startup.probe.enabled:"
                                                + " false",
                                        NOTHING)
                                .getStartupProbe())
                .isNull();
    }

    @Test
    void isNoneOfATaskManagers() throws Exception {
        assertThat(main((Deployment) render("standalone", NOTHING, NOTHING).getLast()))
                .extracting(Container::getStartupProbe)
                .isNull();
    }

    private static String scheme(String mode, String options) throws Exception {
        return jobManager(mode, options, NOTHING).getStartupProbe().getHttpGet().getScheme();
    }

    private static Container jobManager(String mode, String options, String container)
            throws Exception {
        return main((Deployment) render(mode, options, container).getFirst());
    }

    private static Container main(Deployment deployment) {
        return deployment.getSpec().getTemplate().getSpec().getContainers().getFirst();
    }

    private static List<?> render(String mode, String options, String container) throws Exception {
        return ManifestRenderer.render(
                Plans.of(
                        """
                        image: flink:1.20
                        flinkVersion: v1_20
                        mode: %s
                        flinkConfiguration: {%s}
                        jobManager: {resource: {cpu: 1, memory: 1g}, podTemplate: {spec: {containers: [{name: flink-main-container, %s}]}}}
                        taskManager: {resource: {cpu: 1, memory: 1g}}
                        job: {jarURI: "local:///a.jar", parallelism: 1}
                        """
                                .formatted(mode, options, container)));
    }
}
