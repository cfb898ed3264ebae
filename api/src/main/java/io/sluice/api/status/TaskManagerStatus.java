// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import io.sluice.api.json.Fields;

/** {@code status.taskManager}: what the scale subresource shows. */
public record TaskManagerStatus(String labelSelector, int replicas) {
    public static final TaskManagerStatus NONE = new TaskManagerStatus("", 0);

    static TaskManagerStatus read(Fields fields) {
        return new TaskManagerStatus(
                fields.string("labelSelector").orElse(""), fields.int32("replicas").orElse(0));
    }
}
