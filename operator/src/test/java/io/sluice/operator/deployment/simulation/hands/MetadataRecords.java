// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.hands;

import java.util.Map;
import java.util.Optional;

/** Where one Flink keeps its metadata of high availability: records of keys and values. */
public interface MetadataRecords {
    /** Empty if there is no such record. */
    Map<String, String> read(String name);

    /** Does nothing if it is there. */
    void create(String name);

    /**
     * @param values those that are empty are removed
     * @return whether the record was there to be changed
     */
    boolean change(String name, Map<String, Optional<String>> values);

    void delete(String name);
}
