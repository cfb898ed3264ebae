// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
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

    /** Returns the name of the file that it runs, cut to 15 characters; empty once it has ended. */
    public Optional<String> name() {
        return field("Name", "(.+)");
    }

    private OptionalLong mebibytes(String field) {
        OptionalLong kibibytes = number(field);
        return kibibytes.isPresent()
                ? OptionalLong.of(kibibytes.getAsLong() / 1024)
                : OptionalLong.empty();
    }

    private OptionalLong number(String field) {
        return field(field, "(\\d+)").stream().mapToLong(Long::parseLong).findFirst();
    }

    private Optional<String> field(String name, String value) {
        try {
            String status = Files.readString(Path.of("/proc", "" + pid, "status"));
            Matcher found = Pattern.compile(name + ":\\s+" + value).matcher(status);
            return found.find() ? Optional.of(found.group(1)) : Optional.empty();
        } catch (IOException ended) {
            return Optional.empty();
        }
    }
}
