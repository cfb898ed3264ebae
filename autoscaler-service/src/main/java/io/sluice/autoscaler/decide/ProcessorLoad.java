// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

/**
 * How busy the processors of TaskManagers are. Flink's {@code busyTimeMsPerSecond} tells how busy a
 * subtask is; a subtask in a slot with less than a processor can't be busy all the time.
 *
 * @param mean from 0 to 1, in which what was seen lately counts most
 * @param looks that it is made of
 */
record ProcessorLoad(double mean, int looks) {
    static final ProcessorLoad UNKNOWN = new ProcessorLoad(0, 0);

    /** With a look every 15 seconds, so many looks take five minutes. */
    private static final int MEMORY = 20;

    /** After so many the start of the job, which keeps processors busy, counts for little. */
    private static final int ENOUGH = 8;

    /**
     * With one more.
     *
     * @param load from 0 to 1; without effect if it is not above 0, which is how a JVM says that it
     *     does not know
     */
    ProcessorLoad seen(double load) {
        if (!(load > 0)) {
            return this;
        }
        int next = Math.min(looks + 1, MEMORY);
        return new ProcessorLoad(mean + (Math.min(load, 1) - mean) / next, next);
    }

    boolean isKnown() {
        return looks >= ENOUGH;
    }

    /**
     * Which share of what a vertex seems to be able to do is left, if twice as much work takes
     * twice as much of the processors; 1 if they are not what limits it. What a JVM takes without
     * any work does not count: no more is charged to subtasks than they were busy.
     *
     * @param busy how busy a subtask of the vertex is, from 0 to 1
     * @param together how busy all subtasks of a TaskManager are, as the sum of theirs
     */
    double share(double busy, double together) {
        double work = Math.min(mean, together);
        return isKnown() && work > busy && busy > 0 ? busy / work : 1;
    }
}
