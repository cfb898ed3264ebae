// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/** What {@code status.error} says. */
public final class StatusError {
    private StatusError() {}

    /** The message in it, which is JSON after a failure; the text itself if it is not. */
    public static String text(String error) {
        try {
            return new ObjectMapper().readTree(error).path("message").asText(error);
        } catch (JsonProcessingException plain) {
            return error;
        }
    }
}
