// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.process.port.RefusedException;
import io.sluice.process.port.Request;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server, and remembers what it says for a short time. A peer without a valid token
 * can't make this process ask without end: what can't be a token is refused without a question, and
 * one address may ask about few unknown tokens each second. A token that was valid at its last
 * review does not count against that, so that nobody else's questions keep a known caller out.
 */
public final class ReviewedAccess implements Access {
    private static final Logger LOG = LoggerFactory.getLogger(ReviewedAccess.class);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration KNOWN = Duration.ofHours(1);
    private static final int MOST_TOKENS = 1_000;
    private static final int MOST_RIGHTS = 20_000;
    private static final int AT_ONCE = 4;

    private final Reviews reviews;
    private final Audiences audiences;
    private final Consumer<AccessOutcome> count;
    private final Semaphore asking = new Semaphore(AT_ONCE);
    private final Cache<Token, Answer<Optional<Caller.User>>> owners;
    private final Cache<Right, Answer<Boolean>> rights;
    private final Cache<Token, Boolean> known;
    private final Allowance<InetAddress> unknownTokens;
    private final Allowance<String> unknownRights;
    private volatile boolean away;

    /**
     * Whom tokens are to be meant for.
     *
     * @param callers empty for the API server itself
     * @param replicas of tokens by which the replicas of this process know each other
     * @param own this replica's token, as it is now; empty if there is none
     */
    public record Audiences(
            Optional<String> callers, String replicas, Supplier<Optional<String>> own) {
        /** Of a process whose replicas do not ask each other. */
        public static Audiences ofCallers(Optional<String> callers) {
            return new Audiences(callers, "", Optional::empty);
        }
    }

    /** A question about a token; the token itself is not kept. */
    private record Token(String digest, Optional<String> audience) {}

    private record Right(Caller.User user, Permission permission) {}

    private sealed interface Answer<T> {
        record Given<T>(T value, Duration kept) implements Answer<T> {}

        record Failed<T>(String why) implements Answer<T> {}
    }

    /**
     * @param count told of each outcome
     * @param nanos a clock that only goes forward
     */
    public ReviewedAccess(
            Reviews reviews,
            Audiences audiences,
            Consumer<AccessOutcome> count,
            LongSupplier nanos) {
        this.reviews = reviews;
        this.audiences = audiences;
        this.count = count;
        owners = answers(MOST_TOKENS, nanos);
        rights = answers(MOST_RIGHTS, nanos);
        known =
                Caffeine.newBuilder()
                        .maximumSize(MOST_TOKENS)
                        .expireAfterAccess(KNOWN)
                        .ticker(nanos::getAsLong)
                        .executor(Runnable::run)
                        .build();
        unknownTokens = new Allowance<>(20, 5, nanos);
        unknownRights = new Allowance<>(1_000, 100, nanos);
    }

    @Override
    public Caller caller(Request request) {
        return authenticated(request, audiences.callers());
    }

    @Override
    public Caller replica(Request request) {
        Optional<String> audience = Optional.of(audiences.replicas());
        Caller.User user = authenticated(request, audience);
        Optional<Caller.User> self =
                audiences
                        .own()
                        .get()
                        .map(token -> Credentials.of(Optional.of(Credentials.SCHEME + token)))
                        .flatMap(
                                own ->
                                        own instanceof Credentials.BearerToken it
                                                ? owner(it, audience)
                                                : Optional.empty());
        if (self.filter(own -> own.name().equals(user.name())).isEmpty()) {
            throw refuse(AccessOutcome.FORBIDDEN, RefusalResponses.notAReplica(user));
        }
        return user;
    }

    @Override
    public boolean allows(Caller caller, Permission permission) {
        return switch (caller) {
            case Caller.Anybody _ ->
                    throw refuse(
                            AccessOutcome.UNAUTHENTICATED,
                            RefusalResponses.unauthenticated("the request has no token"));
            case Caller.User user -> allows(user, permission);
        };
    }

    @Override
    public void require(Caller caller, Permission permission) {
        if (!allows(caller, permission)) {
            throw refuse(AccessOutcome.FORBIDDEN, RefusalResponses.forbidden(caller, permission));
        }
    }

    private Caller.User authenticated(Request request, Optional<String> audience) {
        return switch (Credentials.of(request.authorization())) {
            case Credentials.Missing _ ->
                    throw refuse(
                            AccessOutcome.UNAUTHENTICATED,
                            RefusalResponses.unauthenticated("the request has no token"));
            case Credentials.Malformed(var why) ->
                    throw refuse(AccessOutcome.MALFORMED, RefusalResponses.unauthenticated(why));
            case Credentials.BearerToken token -> {
                chargeUnlessKnown(token, audience, request.peer());
                Caller.User user = owner(token, audience).orElseThrow(this::notAccepted);
                count.accept(AccessOutcome.AUTHENTICATED);
                yield user;
            }
        };
    }

    private RefusedException notAccepted() {
        return refuse(
                AccessOutcome.UNAUTHENTICATED,
                RefusalResponses.unauthenticated(
                        "the API server does not accept the token, which may have expired"));
    }

    private boolean allows(Caller.User user, Permission permission) {
        var right = new Right(user, permission);
        if (rights.getIfPresent(right) == null && !unknownRights.take(user.name())) {
            throw refuse(
                    AccessOutcome.THROTTLED,
                    RefusalResponses.throttled(
                            "the rights of " + user.name() + " are asked for too often"));
        }
        return given(
                rights.get(
                        right,
                        _ ->
                                ask(
                                        () -> reviews.allows(user, permission),
                                        allowed -> allowed ? LONG : SHORT)));
    }

    private Optional<Caller.User> owner(Credentials.BearerToken token, Optional<String> audience) {
        var key = new Token(token.digest(), audience);
        Optional<Caller.User> owner =
                given(
                        owners.get(
                                key,
                                _ ->
                                        ask(
                                                () -> reviews.owner(token.token(), audience),
                                                found -> found.isPresent() ? LONG : SHORT)));
        if (owner.isPresent()) {
            known.put(key, true);
        } else {
            known.invalidate(key);
        }
        return owner;
    }

    private void chargeUnlessKnown(
            Credentials.BearerToken token, Optional<String> audience, InetAddress peer) {
        var key = new Token(token.digest(), audience);
        boolean free = known.getIfPresent(key) != null || owners.getIfPresent(key) != null;
        if (!free && !unknownTokens.take(peer)) {
            throw refuse(
                    AccessOutcome.THROTTLED,
                    RefusalResponses.throttled("too many unknown tokens come from this address"));
        }
    }

    private <T> Answer<T> ask(Supplier<T> question, Function<T, Duration> kept) {
        if (!asking.tryAcquire()) {
            throw refuse(
                    AccessOutcome.THROTTLED,
                    RefusalResponses.throttled(
                            "the API server is asked about others at the moment"));
        }
        try {
            T answer = question.get();
            if (away) {
                away = false;
                LOG.info("the API server can be asked for tokens and rights again");
            }
            return new Answer.Given<>(answer, kept.apply(answer));
        } catch (KubernetesClientException failed) {
            String why = why(failed);
            if (!away) {
                away = true;
                LOG.atWarn().log("nobody may read metrics or explanations: {}", why);
            }
            return new Answer.Failed<>(why);
        } finally {
            asking.release();
        }
    }

    private static String why(KubernetesClientException failed) {
        return failed.getCode() == 403
                ? "this process has no right to create tokenreviews and subjectaccessreviews"
                : "it does not answer";
    }

    private <T> T given(Answer<T> answer) {
        return switch (answer) {
            case Answer.Given<T>(var value, _) -> value;
            case Answer.Failed<T>(var why) ->
                    throw refuse(AccessOutcome.UNAVAILABLE, RefusalResponses.unavailable(why));
        };
    }

    private RefusedException refuse(AccessOutcome outcome, RefusedException refusal) {
        count.accept(outcome);
        return refusal;
    }

    private static <K, T> Cache<K, Answer<T>> answers(int most, LongSupplier nanos) {
        return Caffeine.newBuilder()
                .maximumSize(most)
                .ticker(nanos::getAsLong)
                .executor(Runnable::run)
                .expireAfter(
                        Expiry.<K, Answer<T>>writing(
                                (_, answer) ->
                                        switch (answer) {
                                            case Answer.Given<T>(_, var kept) -> kept;
                                            case Answer.Failed<T> _ -> PAUSE;
                                        }))
                .build();
    }
}
