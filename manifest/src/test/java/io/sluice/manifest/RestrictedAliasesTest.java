// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.Reviewer;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.DeploymentOptionsInternal;
import org.apache.flink.configuration.FallbackKey;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.kubernetes.configuration.KubernetesConfigOptions;
import org.junit.jupiter.api.Test;

/** What is restricted is restricted under each name that Flink's own options know. */
class RestrictedAliasesTest {
    private static final List<Class<?>> OPTIONS =
            List.of(
                    DeploymentOptionsInternal.class,
                    JobManagerOptions.class,
                    KubernetesConfigOptions.class,
                    RestOptions.class,
                    SecurityOptions.class);

    private static final List<ConfigOption<?>> RESTRICTED =
            List.of(
                    DeploymentOptionsInternal.CONF_DIR,
                    JobManagerOptions.ADDRESS,
                    KubernetesConfigOptions.CONTEXT,
                    KubernetesConfigOptions.JOB_MANAGER_POD_TEMPLATE,
                    KubernetesConfigOptions.KUBE_CONFIG_FILE,
                    KubernetesConfigOptions.KUBERNETES_POD_TEMPLATE,
                    KubernetesConfigOptions.TASK_MANAGER_POD_TEMPLATE,
                    RestOptions.ADDRESS,
                    SecurityOptions.KERBEROS_KRB5_PATH,
                    SecurityOptions.KERBEROS_LOGIN_KEYTAB);

    @Test
    void everyNameOfARestrictedOptionIsRefused() {
        assertThat(RESTRICTED.stream().flatMap(RestrictedAliasesTest::names))
                .contains("security.keytab")
                .allMatch(RestrictedAliasesTest::isRefused);
    }

    /** An option that Flink adds, or another name it gives one, is found here. */
    @Test
    void noOptionOfFlinkIsRestrictedUnderOneNameAndNotUnderAnother() throws Exception {
        Set<String> open = new TreeSet<>();
        for (ConfigOption<?> option : options()) {
            List<String> names = names(option).toList();
            if (names.stream().anyMatch(RestrictedAliasesTest::isRefused)) {
                names.stream().filter(name -> !isRefused(name)).forEach(open::add);
            }
        }

        assertThat(open).isEmpty();
    }

    @Test
    void anOptionThatIsNotRestrictedIsNotRefused() {
        assertThat(isRefused("security.principal")).isFalse();
        assertThat(isRefused("pipeline.name")).isFalse();
    }

    private static Stream<String> names(ConfigOption<?> option) {
        List<String> names = new ArrayList<>(List.of(option.key()));
        option.fallbackKeys().forEach((FallbackKey each) -> names.add(each.getKey()));
        return names.stream();
    }

    private static List<ConfigOption<?>> options() throws IllegalAccessException {
        List<ConfigOption<?>> found = new ArrayList<>();
        for (Class<?> type : OPTIONS) {
            for (var field : type.getFields()) {
                if (field.getType() == ConfigOption.class) {
                    found.add((ConfigOption<?>) field.get(type));
                }
            }
        }
        assertThat(found).hasSizeGreaterThan(100);
        return found;
    }

    private static boolean isRefused(String key) {
        ObjectNode resource = JsonNodeFactory.instance.objectNode();
        resource.putObject("metadata").put("name", "orders").put("namespace", "shop");
        resource.putObject("spec").putObject("flinkConfiguration").put(key, "/etc/x");
        return new Reviewer(DefaultConfiguration.NONE)
                        .review(
                                new ReviewRequest(
                                        ResourceKind.FLINK_DEPLOYMENT, "shop", "orders", resource),
                                Lookup.NOTHING)
                        .problems()
                        .stream()
                        .anyMatch(problem -> problem.rule().equals("restricted-config-key"));
    }
}
