// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedactionTest {
    private final Redaction redaction =
            Redaction.of(
                    new FlinkConfiguration(
                            Map.of("s3.secret-key", "hunter22", "s3.endpoint", "http://minio")));

    @Test
    void hidesTheValuesOfSecretOptions() {
        assertThat(redaction.apply("no access with hunter22 at http://minio"))
                .isEqualTo("no access with ****** at http://minio");
    }

    @Test
    void hidesWhatStandsUnderASecretName() {
        assertThat(redaction.apply("jdbc:x?user=a&password=b1&ssl=true"))
                .isEqualTo("jdbc:x?user=a&password=******&ssl=true");
        assertThat(redaction.apply("password=\\b1")).isEqualTo("password=******");
        assertThat(redaction.apply("apikey: abc")).isEqualTo("apikey: ******");
        assertThat(redaction.apply("https://user:pass@host/x"))
                .isEqualTo("https://user:******@host/x");
    }

    @Test
    void hidesThemInJsonToo() {
        assertThat(redaction.apply("{\"password\":\"b1\",\"user\":\"a\"}"))
                .isEqualTo("{\"password\":\"******\",\"user\":\"a\"}");
        assertThat(redaction.apply("{\"message\":\"{\\\"api-key\\\": \\\"b1\\\"}\"}"))
                .doesNotContain("b1");
    }

    @Test
    void hidesAQuotedValueToItsEnd() {
        assertThat(redaction.apply("password: 'correct horse, battery', user: a"))
                .isEqualTo("password: '******', user: a");
        assertThat(redaction.apply("{\"password\":\"a \\\"b\\\" c\",\"user\":\"d\"}"))
                .isEqualTo("{\"password\":\"******\",\"user\":\"d\"}");
        assertThat(redaction.apply("{\\\"token\\\":\\\"b c, d\\\",\\\"user\\\":\\\"a\\\"}"))
                .isEqualTo("{\\\"token\\\":\\\"******\\\",\\\"user\\\":\\\"a\\\"}");
        assertThat(redaction.apply("[{\"name\":\"DB_PASSWORD\",\"value\":\"b c, d\"}]"))
                .isEqualTo("[{\"name\":\"DB_PASSWORD\",\"value\":\"******\"}]");
        assertThat(redaction.apply("token = \"$1 x\nnext line"))
                .isEqualTo("token = \"******\nnext line");
    }

    @Test
    void hidesTheValueOfAnEnvironmentVariableWithSuchAName() {
        assertThat(redaction.apply("[{\"name\":\"DB_PASSWORD\",\"value\":\"b1\"}]"))
                .isEqualTo("[{\"name\":\"DB_PASSWORD\",\"value\":\"******\"}]");
        assertThat(redaction.apply("{\\\"name\\\":\\\"API_KEY\\\",\\\"value\\\":\\\"b1\\\"}"))
                .doesNotContain("b1");
        assertThat(redaction.apply("EnvVar(name=MY_TOKEN, value=b1, valueFrom=null)"))
                .isEqualTo("EnvVar(name=MY_TOKEN, value=******, valueFrom=null)");
        String plain = "{\"name\":\"REGION\",\"value\":\"b1\"}";
        assertThat(redaction.apply(plain)).isEqualTo(plain);
    }

    @Test
    void hidesThemInUrlsWhoseSlashesAreEscaped() {
        assertThat(redaction.apply("https:\\/\\/user:pass@host")).doesNotContain("pass");
    }

    @Test
    void hidesWhatGivesItselfAwayByItsShape() {
        assertThat(redaction.apply("got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0abc.sig and went on"))
                .isEqualTo("got ****** and went on");
        assertThat(redaction.apply("Authorization: Bearer abcdefgh.12345"))
                .isEqualTo("Authorization: Bearer ******");
        assertThat(redaction.apply("id AKIAABCDEFGHIJKLMNOP here")).isEqualTo("id ****** here");
        assertThat(
                        redaction.apply(
                                "-----BEGIN EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY-----"))
                .isEqualTo("******");
    }

    @Test
    void leavesOtherWordsAlone() {
        String text = "java.lang.Error: x\n\tat org.Token.next(Token.java:7)";

        assertThat(redaction.apply(text)).isEqualTo(text);
    }
}
