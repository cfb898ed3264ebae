// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.Redaction;
import java.nio.charset.StandardCharsets;

/**
 * Writes as another encoder does, without what looks like a secret by its name or by its shape,
 * wherever in the line it stands: message, value, stack trace. What is longer than {@link
 * Redaction#LONGEST} is cut, and is still a line of its own.
 */
public final class RedactingEncoder extends EncoderBase<ILoggingEvent> {
    private static final Redaction REDACTION = Redaction.of(FlinkConfiguration.EMPTY);
    private final Encoder<ILoggingEvent> plain;

    public RedactingEncoder(Encoder<ILoggingEvent> plain) {
        this.plain = plain;
    }

    @Override
    public byte[] headerBytes() {
        return plain.headerBytes();
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String line = new String(plain.encode(event), StandardCharsets.UTF_8);
        String shown = REDACTION.apply(line);
        boolean lostItsEnd = line.endsWith("\n") && !shown.endsWith("\n");
        return (lostItsEnd ? shown + "\n" : shown).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] footerBytes() {
        return plain.footerBytes();
    }

    @Override
    public void stop() {
        plain.stop();
        super.stop();
    }
}
