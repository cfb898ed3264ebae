// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.access;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Who sent a request. */
public sealed interface Caller {

    /** Nobody is asked who they are; everybody may read everything. */
    record Anybody() implements Caller {}

    /**
     * The owner of a token, as the API server names it.
     *
     * @param extra what authorizers know the user by beside name and groups
     */
    record User(String name, String uid, List<String> groups, Map<String, List<String>> extra)
            implements Caller {
        public User {
            groups = List.copyOf(groups);
            extra =
                    extra.entrySet().stream()
                            .collect(
                                    Collectors.toMap(
                                            Map.Entry::getKey,
                                            each -> List.copyOf(each.getValue()),
                                            (a, _) -> a,
                                            TreeMap::new));
        }
    }
}
