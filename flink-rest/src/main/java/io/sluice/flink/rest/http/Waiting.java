// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.util.function.Supplier;

/** What a caller does around the wait for an answer, such as giving up its turn. */
@FunctionalInterface
public interface Waiting {
    /** Returns what {@code wait} returns. */
    <T> T during(Supplier<T> wait);

    /** Does nothing beside. */
    static Waiting direct() {
        return Direct.DIRECT;
    }

    /** {@link #direct}. */
    enum Direct implements Waiting {
        DIRECT;

        @Override
        public <T> T during(Supplier<T> wait) {
            return wait.get();
        }
    }
}
