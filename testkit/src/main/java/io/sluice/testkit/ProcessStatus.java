// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells what the kernel says of a process.
 *
 * @param pid of the process
 */
public record ProcessStatus(long pid) {
    /** Returns the resident memory in MiB; empty once the process has ended. */
    public OptionalLong residentMebibytes() {
        return mebibytes("VmRSS");
    }

    /** Returns the most resident memory so far in MiB; empty once the process has ended. */
    public OptionalLong peakMebibytes() {
        return mebibytes("VmHWM");
    }

    /** Returns the number of threads; empty once the process has ended. */
    public OptionalLong threads() {
        return number("Threads");
    }

    private OptionalLong mebibytes(String field) {
        OptionalLong kibibytes = number(field);
        return kibibytes.isPresent()
                ? OptionalLong.of(kibibytes.getAsLong() / 1024)
                : OptionalLong.empty();
    }

    private OptionalLong number(String field) {
        try {
            String status = Files.readString(Path.of("/proc", "" + pid, "status"));
            Matcher found = Pattern.compile(field + ":\\s+(\\d+)").matcher(status);
            return found.find()
                    ? OptionalLong.of(Long.parseLong(found.group(1)))
                    : OptionalLong.empty();
        } catch (IOException ended) {
            return OptionalLong.empty();
        }
    }
}
