// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.ResourceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of the documentation is what the command says. */
class TroubleshootingTest {
    private static final Path REASONS = Path.of("../docs/reference/reasons.md");
    private static final Pattern REASON = Pattern.compile("<a id=\"\\w+\"></a>`(\\w+)`");

    private final Troubleshooting page = Troubleshooting.read();
    private final Remedy remedy =
            new Remedy(ResourceKind.FLINK_DEPLOYMENT, "shop", "clicks", "clicks");

    @Test
    void everyReasonOfTheOperatorIsThere() throws IOException {
        List<String> reasons =
                REASON.matcher(Files.readString(REASONS))
                        .results()
                        .map(found -> found.group(1))
                        .toList();

        assertThat(reasons).hasSizeGreaterThan(50);
        assertThat(page.byReason().keySet()).containsAll(reasons);
    }

    @Test
    void aRowWithoutARemedyIsOfASectionThatHasOne() {
        assertThat(page.byReason().values().stream().filter(each -> each.remedy().isEmpty()))
                .extracting(Troubleshooting.Entry::place)
                .containsOnly("docs/troubleshoot.md#the-state-is-not-known");
    }

    @Test
    void theWordsOfPodsAreApart() {
        assertThat(page.byPodProblem())
                .containsKeys("ErrImagePull", "CrashLoopBackOff", "Unschedulable")
                .doesNotContainKey("x509");
    }

    @Test
    void whatNobodyHasLookedAtHasItsCauses() {
        assertThat(page.unobserved()).hasSizeGreaterThan(3);
        assertThat(page.unobserved().getFirst().cause()).isNotEqualTo("cause");
    }

    @Test
    void commandsNameTheResource() {
        assertThat(
                        remedy.text(
                                "`kubectl get pods -l app=orders`, `kubectl logs deployment/orders`"))
                .isEqualTo(
                        "kubectl -n shop get pods -l app=clicks,"
                                + " kubectl -n shop logs deployment/clicks");
        assertThat(remedy.text("look at `<name>-blue`; `kubectl get flinkdep nightly`"))
                .isEqualTo("look at clicks-blue; kubectl -n shop get flinkdep clicks");
    }

    @Test
    void aCommandThatNamesANamespaceKeepsIt() {
        assertThat(remedy.text("`kubectl -n sluice-system get pods`"))
                .isEqualTo("kubectl -n sluice-system get pods");
    }

    @Test
    void commandsOfASessionJobNameItsKind() {
        Remedy ofSessionJob =
                Remedy.of(
                        Resources.resource(
                                ResourceKind.FLINK_SESSION_JOB,
                                "{\"deploymentName\":\"nightly\"}",
                                "{}"));

        assertThat(
                        ofSessionJob.text(
                                "`kubectl patch flinkdep orders`, `kubectl logs"
                                        + " deployment/orders`, `kubectl get sessionjob -l"
                                        + " target.session=session`"))
                .isEqualTo(
                        "kubectl -n shop patch sessionjob orders,"
                                + " kubectl -n shop logs deployment/nightly,"
                                + " kubectl -n shop get sessionjob -l target.session=nightly");
    }

    @Test
    void aNameThatIsNoneGoesIntoNoCommand() {
        Remedy hostile =
                Remedy.of(
                        Resources.resource(
                                ResourceKind.FLINK_SESSION_JOB,
                                "{\"deploymentName\":\"x; rm -rf /\"}",
                                "{}"));

        assertThat(hostile.text("`kubectl logs deployment/session`"))
                .isEqualTo("kubectl -n shop logs deployment/CLUSTER");
    }

    @Test
    void linksNameThePageInTheRepository() {
        assertThat(remedy.text("see [Rollback](rescue.md#rollback) and [Deletion](#deletion)"))
                .isEqualTo(
                        "see Rollback (docs/rescue.md#rollback) and Deletion"
                                + " (docs/troubleshoot.md#deletion)");
    }

    @Test
    void noRemedyKeepsAnythingOfItsMarkup() {
        assertThat(page.byReason().values())
                .extracting(each -> remedy.text(each.remedy()))
                .noneMatch(text -> text.contains("`") || text.contains("]("))
                .noneMatch(text -> text.contains("orders"));
    }
}
