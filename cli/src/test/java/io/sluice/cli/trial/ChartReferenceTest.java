// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChartReferenceTest {
    private static final Optional<String> OWN = Optional.of("0.1.0");

    @Test
    void aChartInARegistryIsOfTheVersionOfTheCommandLine() {
        assertThat(of("oci://registry.example.org/charts/sluice", Optional.empty()).arguments())
                .containsExactly("oci://registry.example.org/charts/sluice", "--version", "0.1.0");
    }

    @Test
    void aVersionThatIsNamedGoesFirst() {
        assertThat(of("oci://registry.example.org/charts/sluice", Optional.of("0.2.0")).arguments())
                .endsWith("--version", "0.2.0");
    }

    @Test
    void aFolderHasTheVersionThatItHas() {
        assertThat(of("helm/sluice", Optional.empty()).arguments()).containsExactly("helm/sluice");
    }

    @ParameterizedTest
    @CsvSource({
        "oci://localhost:5000/charts/sluice, true",
        "oci://127.0.0.1/charts/sluice, true",
        "oci://localhost.example.org/charts/sluice, false",
        "oci://registry.example.org/charts/sluice, false",
    })
    void aRegistryOnThisMachineSpeaksHttp(String reference, boolean plain) {
        assertThat(of(reference, Optional.empty()).plainHttp()).isEqualTo(plain);
    }

    @ParameterizedTest
    @CsvSource({
        "oci://localhost:5000/team/charts/sluice, localhost:5000/team/sluice/examples:0.1.0",
        "oci://registry.example.org/sluice,",
        "helm/charts/sluice,",
    })
    void theImageOfTheExampleJobsIsBesideTheChartOfARelease(String reference, String image) {
        assertThat(of(reference, Optional.empty()).examplesImage())
                .isEqualTo(Optional.ofNullable(image));
    }

    private static ChartReference of(String reference, Optional<String> named) {
        return ChartReference.of(reference, named, OWN, false);
    }
}
