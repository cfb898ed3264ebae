// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a process has its certificates for JobManagers that use TLS.
 *
 * @param folder of the stores ({@code SLUICE_JOBMANAGER_TLS_DIR}); empty for those of the JDK
 * @param verifiesHosts whether a JobManager's certificate has to be for its Service; false with
 *     {@code SLUICE_JOBMANAGER_TLS_ANY_HOST}
 */
public record RestTlsSettings(Optional<Path> folder, boolean verifiesHosts) {
    /**
     * As the environment says.
     *
     * @throws Environment.Unusable if a variable can't be read
     */
    public static RestTlsSettings from(Environment environment) {
        return new RestTlsSettings(
                environment.text(Variable.JOBMANAGER_TLS_DIR).map(Path::of),
                !environment.flag(Variable.JOBMANAGER_TLS_ANY_HOST));
    }
}
