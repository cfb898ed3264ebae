// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.access;

import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewStatus;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewFluent;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks the API server, once for each question, and for three seconds at the most. */
public final class KubernetesReviews implements Reviews {
    private static final int LONGEST_MILLIS = 3_000;
    private static final String GROUP = "flink.apache.org";

    private final KubernetesClient client;

    /**
     * @param client whose account may create tokenreviews and subjectaccessreviews; stays the
     *     caller's to close
     */
    public KubernetesReviews(KubernetesClient client) {
        this.client =
                client.newClient(
                                new RequestConfigBuilder(
                                                client.getConfiguration().getRequestConfig())
                                        .withRequestTimeout(LONGEST_MILLIS)
                                        .withRequestRetryBackoffLimit(0)
                                        .build())
                        .adapt(KubernetesClient.class);
    }

    @Override
    public Optional<Caller.User> owner(String token, Optional<String> audience) {
        var spec = new TokenReviewBuilder().withNewSpec().withToken(token);
        audience.ifPresent(spec::addToAudiences);
        return Optional.ofNullable(client.tokenReviews().create(spec.endSpec().build()).getStatus())
                .filter(status -> Boolean.TRUE.equals(status.getAuthenticated()))
                .filter(status -> isMeantFor(status, audience))
                .flatMap(status -> Optional.ofNullable(status.getUser()))
                .filter(user -> user.getUsername() != null && !user.getUsername().isEmpty())
                .map(KubernetesReviews::user);
    }

    @Override
    public boolean allows(Caller.User user, Permission permission) {
        var spec =
                new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(user.name())
                        .withUid(user.uid())
                        .withGroups(user.groups())
                        .withExtra(user.extra());
        var status =
                client.authorization()
                        .v1()
                        .subjectAccessReview()
                        .create(attributes(spec, permission).endSpec().build())
                        .getStatus();
        return status != null && Boolean.TRUE.equals(status.getAllowed());
    }

    private static SubjectAccessReviewFluent<SubjectAccessReviewBuilder>.SpecNested<
                    SubjectAccessReviewBuilder>
            attributes(
                    SubjectAccessReviewFluent<SubjectAccessReviewBuilder>.SpecNested<
                                    SubjectAccessReviewBuilder>
                            spec,
                    Permission permission) {
        return switch (permission) {
            case Permission.Path(var path) ->
                    spec.withNewNonResourceAttributes()
                            .withPath(path)
                            .withVerb("get")
                            .endNonResourceAttributes();
            case Permission.Resources(var verb, var resource, var namespace, var name) ->
                    spec.withNewResourceAttributes()
                            .withGroup(GROUP)
                            .withVersion("v1beta1")
                            .withResource(resource)
                            .withVerb(verb)
                            .withNamespace(namespace)
                            .withName(name)
                            .endResourceAttributes();
        };
    }

    /** An authenticator that knows nothing of audiences does not say for which a token is. */
    private static boolean isMeantFor(TokenReviewStatus status, Optional<String> audience) {
        return audience.isEmpty()
                || Optional.ofNullable(status.getAudiences())
                        .filter(all -> all.contains(audience.get()))
                        .isPresent();
    }

    private static Caller.User user(UserInfo user) {
        return new Caller.User(
                user.getUsername(),
                Optional.ofNullable(user.getUid()).orElse(""),
                Optional.ofNullable(user.getGroups()).orElseGet(List::of),
                Optional.ofNullable(user.getExtra()).orElseGet(Map::of));
    }
}
