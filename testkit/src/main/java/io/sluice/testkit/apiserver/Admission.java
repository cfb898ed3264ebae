// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What has a say before an object is stored: admission plugins, webhooks and quotas. */
@FunctionalInterface
public interface Admission {
    /**
     * @param object as it is to be stored, or as it is stored of a deletion. What the call may
     *     change of it may be changed
     * @throws ApiRefusal to refuse the call
     */
    void review(ApiCall call, ObjectNode object);
}
