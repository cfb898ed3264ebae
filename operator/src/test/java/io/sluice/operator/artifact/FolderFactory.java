// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import java.io.IOException;
import java.net.URI;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** Buckets that are folders below the one that the system property {@code buckets} names. */
public final class FolderFactory implements FileSystemFactory {
    @Override
    public String getScheme() {
        return "s3";
    }

    @Override
    public FileSystem create(URI uri) {
        return new LocalFileSystem() {
            @Override
            public FileStatus getFileStatus(Path path) throws IOException {
                return super.getFileStatus(
                        new Path(
                                System.getProperty("buckets")
                                        + "/"
                                        + uri.getHost()
                                        + path.getPath()));
            }
        };
    }
}
