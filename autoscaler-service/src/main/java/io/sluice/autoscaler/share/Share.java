// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import io.sluice.autoscaler.collect.JobKey;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * How the jobs are shared: each goes to the live replica whose name, together with the job's, has
 * the highest hash (rendezvous hashing; Thaler and Ravishankar, 1998). Whoever sees the same
 * replicas sees the same owners, and a replica that comes or goes moves only its own jobs.
 *
 * @param alive all replicas known to live, this one among them; empty: this one may own nothing
 * @param elsewhere the namespaces none of whose jobs any of these may own, and why, in a sentence
 *     for people
 */
public record Share(Member self, SortedSet<Member> alive, SortedMap<String, String> elsewhere) {
    public Share {
        alive = Collections.unmodifiableSortedSet(new TreeSet<>(alive));
        elsewhere = Collections.unmodifiableSortedMap(new TreeMap<>(elsewhere));
    }

    public Share(Member self, SortedSet<Member> alive) {
        this(self, alive, Collections.emptySortedMap());
    }

    /** One replica that owns everything. */
    public static Share alone(Member self) {
        return new Share(self, new TreeSet<>(Set.of(self)));
    }

    static Share nothing(Member self) {
        return new Share(self, Collections.emptySortedSet());
    }

    public boolean owns(JobKey job) {
        return ownerOf(job.namespace(), job.name()).filter(self::equals).isPresent();
    }

    /**
     * The owner of the job of this name; empty if it is none of these replicas, and as long as this
     * replica knows of nobody.
     */
    public Optional<Member> ownerOf(String namespace, String name) {
        if (elsewhere.containsKey(namespace)) {
            return Optional.empty();
        }
        String job = namespace + "/" + name;
        return alive.stream()
                .max(
                        Comparator.comparingLong((Member member) -> weight(member, job))
                                .thenComparing(Comparator.naturalOrder()));
    }

    /** What of {@code all} falls to this replica, at least 1 of it. */
    public int portionOf(int all) {
        return Math.max(1, all / Math.max(1, alive.size()));
    }

    /** The sum is stirred: names that differ in one letter have sums that hardly differ. */
    private static long weight(Member member, String job) {
        CRC32C sum = new CRC32C();
        sum.update((member.name() + "|" + job).getBytes(StandardCharsets.UTF_8));
        long stirred = sum.getValue() * 0x9E3779B97F4A7C15L;
        stirred = (stirred ^ (stirred >>> 30)) * 0xBF58476D1CE4E5B9L;
        stirred = (stirred ^ (stirred >>> 27)) * 0x94D049BB133111EBL;
        return (stirred ^ (stirred >>> 31)) >>> 1;
    }
}
