// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugin;

import java.util.List;

/** Says at admission what is wrong with a resource, beside the built-in rules. */
public interface Validator extends Plugin {
    /** Everything that is wrong; none to accept it. A fault counts as a problem. */
    List<Problem> check(Resource resource);
}
