// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;

/**
 * Waits until a role that was just bound is in effect. An API server answers the creation of a
 * RoleBinding before its authorizer, which reads roles and bindings from a cache, knows it.
 *
 * @param administrator a client that may create SubjectAccessReviews
 * @param user as the API server knows it
 */
public record EffectiveAccess(KubernetesClient administrator, String user) {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    public static EffectiveAccess ofAccount(
            KubernetesClient administrator, String namespace, String name) {
        return new EffectiveAccess(
                administrator, "system:serviceaccount:%s:%s".formatted(namespace, name));
    }

    /**
     * @param namespace in which the rule is granted; empty for all of them
     * @param rule of the role; only its first resource, or else its first URL, is asked for
     * @throws IllegalStateException if the user does not get the access
     */
    public void await(String namespace, PolicyRule rule) {
        SubjectAccessReview review = review(namespace, rule);
        if (!Waits.reaches(() -> allows(review), LONGEST)) {
            throw new IllegalStateException(
                    "%s does not get the access in namespace '%s': %s"
                            .formatted(user, namespace, rule));
        }
    }

    private boolean allows(SubjectAccessReview review) {
        return administrator.resource(review).create().getStatus().getAllowed();
    }

    private SubjectAccessReview review(String namespace, PolicyRule rule) {
        var review = new SubjectAccessReviewBuilder().withNewSpec().withUser(user);
        String verb = rule.getVerbs().getFirst();
        if (rule.getResources().isEmpty()) {
            return review.withNewNonResourceAttributes()
                    .withPath(rule.getNonResourceURLs().getFirst())
                    .withVerb(verb)
                    .endNonResourceAttributes()
                    .endSpec()
                    .build();
        }
        List<String> resource = List.of(rule.getResources().getFirst().split("/", 2));
        return review.withNewResourceAttributes()
                .withNamespace(namespace)
                .withGroup(rule.getApiGroups().getFirst())
                .withResource(resource.getFirst())
                .withSubresource(resource.stream().skip(1).collect(joining()))
                .withName(rule.getResourceNames().stream().findFirst().orElse(""))
                .withVerb(verb)
                .endResourceAttributes()
                .endSpec()
                .build();
    }
}
