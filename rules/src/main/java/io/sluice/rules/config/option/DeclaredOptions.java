// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;

/** All options of the operator. */
public final class DeclaredOptions {
    /** By key, in the order of the reference. */
    public static final SequencedMap<String, OperatorOption> ALL =
            byKey(
                    Stream.of(
                            ProcessOptions.ALL,
                            AdmissionOptions.ALL,
                            PodOptions.ALL,
                            RequestOptions.ALL,
                            ArtifactOptions.ALL,
                            JobEventOptions.ALL,
                            SnapshotOptions.ALL,
                            LifecycleOptions.ALL,
                            ClientOptions.ALL,
                            BlueGreenOptions.ALL,
                            CheckOptions.ALL,
                            SeriesOptions.ALL,
                            IgnoredOptions.ALL));

    private DeclaredOptions() {}

    /** The option that {@code key} is, in its newest spelling. */
    public static Optional<OperatorOption> of(String key) {
        return Optional.ofNullable(ALL.get(key))
                .or(() -> ALL.values().stream().filter(each -> each.isMeantBy(key)).findFirst());
    }

    private static SequencedMap<String, OperatorOption> byKey(Stream<List<OperatorOption>> groups) {
        SequencedMap<String, OperatorOption> all = new LinkedHashMap<>();
        groups.flatMap(List::stream)
                .forEach(
                        each -> {
                            if (all.put(each.key(), each) != null) {
                                throw new IllegalStateException(each.key() + " is declared twice");
                            }
                        });
        return Collections.unmodifiableSequencedMap(all);
    }
}
