// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Lives through all cases, or those whose name the second argument, a pattern, is found in, and
 * writes {@code autoscaler.txt} and {@code autoscaler.html} into the folder of the first. Ends with
 * 1 if a bar is missed.
 */
public final class AutoscalerBench {
    private AutoscalerBench() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Pattern wanted = Pattern.compile(arguments.length > 1 ? arguments[1] : "");
        List<Comparison> comparisons =
                Cases.all().parallelStream()
                        .filter(each -> wanted.matcher(each.name()).find())
                        .map(Comparison::of)
                        .toList();
        Summary summary = new Summary(comparisons);
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("autoscaler.txt"), summary.text());
        Files.writeString(folder.resolve("autoscaler.html"), Page.of(summary));
        System.out.print(summary.text());
        System.exit(summary.bars().stream().allMatch(Summary.Bar::met) ? 0 : 1);
    }
}
