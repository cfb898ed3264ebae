// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretKeysTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3.secret-key",
                "s3.access-key",
                "security.ssl.rest.keystore-PASSWORD",
                "fs.azure.account.key.mine.blob.core.windows.net",
                "my.oauth.token",
                "kubernetes.operator.user.artifacts.http.header",
                "tls.private.key",
            })
    void hidesWhatLooksLikeASecret(String key) {
        assertThat(SecretKeys.shown(key, "hush")).isEqualTo("******");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "job.autoscaler.scaling.key-group.partitions.adjust.mode",
                "execution.checkpointing.dir",
                "taskmanager.numberOfTaskSlots",
            })
    void showsTheRest(String key) {
        assertThat(SecretKeys.shown(key, "open")).isEqualTo("open");
    }
}
