// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifest.Room.Quota;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoomTest {
    private static final Map<String, BigDecimal> ASKED =
            Map.of(
                    "requests.cpu",
                    new BigDecimal("2.2"),
                    "limits.cpu",
                    new BigDecimal("4.4"),
                    "requests.memory",
                    BigDecimal.valueOf((3L << 30) + 1),
                    "pods",
                    BigDecimal.valueOf(3));

    @Test
    void isEnoughWhereNoQuotaCountsWhatIsAskedForOrLeavesJustThat() {
        assertThat(Room.NOT_ASKED.lack()).isEmpty();
        assertThat(room().lack()).isEmpty();
        assertThat(
                        room(quota("exact", "requests.cpu", "2.2"), quota("other", "secrets", "0"))
                                .lack())
                .isEmpty();
        assertThat(
                        new Room(Map.of("pods", BigDecimal.ZERO), List.of(quota("a", "pods", "-1")))
                                .lack())
                .as("who asks for nothing needs none")
                .isEmpty();
    }

    @Test
    void namesEachQuotaThatLeavesTooLittle() {
        assertThat(
                        room(
                                        quota("team", "limits.cpu", "4.3999"),
                                        quota("wide", "pods", "100"),
                                        quota("count", "pods", "2"))
                                .lack())
                .contains(
                        "ResourceQuota 'team' leaves 4.399 of limits.cpu, and a second half takes"
                                + " 4.4. ResourceQuota 'count' leaves 2 of pods, and a second half"
                                + " takes 3.");
    }

    @Test
    void knowsTheOtherNamesOfAResource() {
        assertThat(room(quota("a", "cpu", "2")).lack()).isPresent();
        assertThat(room(quota("a", "count/pods", "2")).lack()).isPresent();
        assertThat(room(quota("a", "memory", Long.toString(3L << 30))).lack())
                .as("rounded so that the difference shows")
                .contains(
                        "ResourceQuota 'a' leaves 3072Mi of memory, and a second half takes"
                                + " 3073Mi.");
    }

    /** A quota may be lowered below what is used. */
    @Test
    void leavesNothingWhereMoreIsUsedThanGranted() {
        assertThat(room(quota("a", "pods", "-5")).lack())
                .contains("ResourceQuota 'a' leaves 0 of pods, and a second half takes 3.");
    }

    private static Room room(Quota... quotas) {
        return new Room(ASKED, List.of(quotas));
    }

    private static Quota quota(String name, String resource, String left) {
        return new Quota(name, Map.of(resource, new BigDecimal(left)));
    }
}
