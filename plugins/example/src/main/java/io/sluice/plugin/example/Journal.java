// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugin.example;

import io.sluice.plugin.Listener;
import io.sluice.plugin.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a line for each transition. */
public final class Journal implements Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    @Override
    public void statusChanged(Resource resource, String reason) {
        LOG.atInfo()
                .addKeyValue("journal", resource.namespace() + "/" + resource.name())
                .addKeyValue("reason", reason)
                .log("a resource changed");
    }
}
