// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.installation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Ends processes when this JVM has ended, also if it was killed: a shell that waits for a line then
 * reads the end of its input.
 */
public final class Guard {
    /** To be kept: the input also ends when the process is collected. */
    private static final List<Process> SHELLS = Collections.synchronizedList(new ArrayList<>());

    private Guard() {}

    public static void with(long pid) throws IOException {
        SHELLS.add(
                new ProcessBuilder("sh", "-c", "read -r _ || kill -9 \"$1\"", "sh", "" + pid)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start());
    }

    /** Those that are guarded have ended: the shells end too, without ending anything. */
    public static void end() {
        SHELLS.forEach(Process::destroyForcibly);
    }
}
