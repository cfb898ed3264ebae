// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.validation;

import io.sluice.plugin.Problem;
import io.sluice.plugin.Resource;
import io.sluice.plugin.Validator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A plugin for tests, which does what an image's name says: refuses it, throws, or never ends,
 * whoever interrupts it.
 */
public final class ImageValidator implements Validator {
    private static final long A_MOMENT = 10_000_000;

    @Override
    public List<Problem> check(Resource resource) {
        if (resource.json().contains("image:throws")) {
            throw new IllegalStateException("the registry does not answer");
        }
        while (resource.json().contains("image:hangs")) {
            LockSupport.parkNanos(A_MOMENT);
            boolean _ = Thread.interrupted();
        }
        return resource.json().contains("image:foreign")
                ? List.of(new Problem("spec.image", "is foreign; use one of this house"))
                : List.of();
    }
}
