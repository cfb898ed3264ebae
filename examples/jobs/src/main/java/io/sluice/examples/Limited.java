// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/**
 * Passes on a bounded number of records per second, however many subtasks it has: each gets an
 * equal share of the limit. A database that is written to behaves so once it is busy.
 */
@SuppressWarnings("NullAway.Init") // Flink opens the function before the first record
final class Limited extends RichMapFunction<Event, Event> {

    private final double limit;
    private transient Pace pace;

    /**
     * @param limit records per second of all subtasks together, above 0
     */
    Limited(double limit) {
        this.limit = limit;
    }

    @Override
    public void open(OpenContext context) {
        int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        pace = new Pace(limit / subtasks, Pace::park);
    }

    @Override
    public Event map(Event event) {
        pace.one();
        return event;
    }
}
