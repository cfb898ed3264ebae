// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** A split as two numbers. */
final class LoadSplitSerializer implements SimpleVersionedSerializer<LoadSplit> {

    private static final int VERSION = 1;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(LoadSplit split) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(split.startedAt().toEpochMilli())
                .putLong(split.emitted())
                .array();
    }

    @Override
    public LoadSplit deserialize(int version, byte[] bytes) throws IOException {
        if (version != VERSION) {
            throw new IOException(
                    "state of version " + version + " can't be read by version " + VERSION);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new LoadSplit(Instant.ofEpochMilli(buffer.getLong()), buffer.getLong());
    }
}
