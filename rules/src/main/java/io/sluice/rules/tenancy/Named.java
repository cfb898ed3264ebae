// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.tenancy;

/**
 * A name that a spec uses.
 *
 * @param path of the field
 * @param value the name; empty where the field is as good as every name
 * @param problem what to say of the field if the name is not allowed, before what to do about it
 */
record Named(String path, String value, String problem) {
    static Named of(String path, String value, String kind) {
        return new Named(path, value, "is a " + kind + " that is not allowed here");
    }
}
