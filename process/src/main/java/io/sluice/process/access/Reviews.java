// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.access;

import java.util.Optional;

/**
 * What the API server says of tokens and rights. Both methods wait for it, and throw {@link
 * io.fabric8.kubernetes.client.KubernetesClientException} if it does not answer or refuses to.
 */
public interface Reviews {
    /**
     * The owner of a token; empty if it is nobody's, or is not meant for {@code audience}.
     *
     * @param audience empty for that of the API server itself
     */
    Optional<Caller.User> owner(String token, Optional<String> audience);

    boolean allows(Caller.User user, Permission permission);
}
