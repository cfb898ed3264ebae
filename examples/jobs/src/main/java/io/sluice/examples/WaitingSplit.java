// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import java.io.IOException;
import java.util.Optional;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** What the enumerator remembers: the split while no reader has it. */
record WaitingSplit(Optional<LoadSplit> split) {

    /** No bytes stand for no split. */
    static final class Serializer implements SimpleVersionedSerializer<WaitingSplit> {

        private final LoadSplitSerializer splits = new LoadSplitSerializer();

        @Override
        public int getVersion() {
            return splits.getVersion();
        }

        @Override
        public byte[] serialize(WaitingSplit waiting) {
            return waiting.split().map(splits::serialize).orElseGet(() -> new byte[0]);
        }

        @Override
        public WaitingSplit deserialize(int version, byte[] bytes) throws IOException {
            return new WaitingSplit(
                    bytes.length == 0
                            ? Optional.empty()
                            : Optional.of(splits.deserialize(version, bytes)));
        }
    }
}
