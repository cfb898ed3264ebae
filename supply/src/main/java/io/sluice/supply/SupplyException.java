// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

/**
 * Says what is wrong with the contents of an image or with a file of this folder, and what to do.
 */
public final class SupplyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SupplyException(String message) {
        super(message);
    }
}
