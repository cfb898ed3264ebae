// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/**
 * Passes on a bounded number of records per second and subtask, and a bounded number in total: once
 * the subtasks together are at that, each gets an equal share of it, however many there are. So
 * behaves what writes to a database.
 */
@SuppressWarnings("NullAway.Init") // Flink opens the function before the first record
final class Limited extends RichMapFunction<Event, Event> {

    private final double capacity;
    private final double limit;
    private transient Pace pace;

    /**
     * @param capacity records per second of one subtask, above 0
     * @param limit records per second of all subtasks together, above 0
     */
    Limited(double capacity, double limit) {
        this.capacity = capacity;
        this.limit = limit;
    }

    @Override
    public void open(OpenContext context) {
        int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        pace = new Pace(rateOfOne(subtasks), Pace::park);
    }

    /** Records per second of one of so many subtasks. */
    double rateOfOne(int subtasks) {
        return Math.min(capacity, limit / subtasks);
    }

    @Override
    public Event map(Event event) {
        pace.one();
        return event;
    }
}
