// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.ordinary;

/** What users do, and what the processes do by themselves, as far as it is measured. */
public enum Action {
    CONTROL("a write that nobody reviews (no bar)"),
    ADMISSION("a write is admitted"),
    REFUSAL("a wrong write is refused"),
    CREATION("created: its JobManager is made"),
    EDIT("edited: its job is stopped with a savepoint"),
    SCALING("autoscaler ConfigMap: its job is scaled"),
    SUBMISSION("session job: its jar is run"),
    DELETION("deleted: it is gone"),
    OPERATOR_LOOK("between two looks of the operator"),
    AUTOSCALER_LOOK("between two looks of the autoscaler");

    private final String text;

    Action(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
