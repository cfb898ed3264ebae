// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;

/**
 * Runs the webhook once as a cluster would: starts it, has it issue and publish a certificate and
 * list a few resources, sends it some reviews, and ends it. Started with {@code
 * -XX:AOTCacheOutput}, the process leaves a cache behind by which the next one starts in half the
 * time.
 *
 * <pre>
 *   java -cp … io.sluice.bench.TrainingRun REVIEWS FOLDER java -XX:AOTCacheOutput=… io.sluice.webhook.Main
 * </pre>
 */
public final class TrainingRun {
    private static final int DEPLOYMENTS = 3;

    private TrainingRun() {}

    public static void main(String[] arguments) throws IOException, GeneralSecurityException {
        int reviews = Integer.parseInt(arguments[0]);
        Path folder = Files.createDirectories(Path.of(arguments[1]));
        List<String> command = List.of(arguments).subList(2, arguments.length);
        try (var api = StandInApi.start(DEPLOYMENTS);
                var webhook = WebhookProcess.start(command, api, folder)) {
            webhook.awaitReady();
            var trust = Trust.in(api.caBundle().orElseThrow());
            byte[] body = Reviews.update();
            try (var caller = new Caller(trust, webhook.httpsPort())) {
                for (int i = 0; i < reviews; i++) {
                    caller.call(Caller.post("/validate", body));
                    caller.call(Caller.post("/mutate", body));
                }
            }
        }
    }
}
