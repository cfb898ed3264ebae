// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import io.sluice.flink.rest.AnswerLimit;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Optional;

/**
 * A body that ends with a fault when it exceeds its size or its time, whatever its sender does. One
 * that is not small asks for room among all large ones, once and for all that it may become.
 */
final class BoundedBody extends InputStream {
    private final InputStream in;
    private final Terms terms;
    private long read;
    private Optional<BodyBudget.Share> share = Optional.empty();

    /**
     * @param cluster whose body it is
     * @param announced its length, or -1
     * @param limit which bound {@code most} is
     * @param weight how many bytes of memory each becomes
     * @param deadline by {@link System#nanoTime}
     */
    record Terms(
            String cluster,
            long announced,
            AnswerLimit limit,
            int most,
            int weight,
            long deadline,
            BodyBudget budget) {
        long worst() {
            return announced < 0 ? most : Math.min(announced, most);
        }
    }

    /** Throws if it is announced to be too large. */
    BoundedBody(InputStream in, Terms terms) throws AnswerTooLarge {
        this.in = in;
        this.terms = terms;
        if (terms.announced() > terms.most()) {
            throw tooLarge();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (System.nanoTime() - terms.deadline() > 0) {
            throw new IOException("only a part of it came in time");
        }
        if (share.isEmpty()
                && read + length > AnswerLimits.SMALL
                && terms.worst() > AnswerLimits.SMALL) {
            makeRoom();
        }
        int many = in.read(into, from, length);
        if (many < 0 && read < terms.announced()) {
            throw new IOException("the answer was cut off");
        }
        read += Math.max(many, 0);
        if (read > terms.most()) {
            throw tooLarge();
        }
        return many;
    }

    private void makeRoom() throws IOException {
        try {
            share =
                    Optional.of(
                            terms.budget()
                                    .take(
                                            terms.cluster(),
                                            terms.worst() * terms.weight(),
                                            terms.deadline()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private AnswerTooLarge tooLarge() {
        return new AnswerTooLarge(
                terms.limit(), "the answer has more than " + terms.most() + " bytes");
    }

    /** Gives the room back; the connection is its owner's. */
    @Override
    public void close() {
        share.ifPresent(BodyBudget.Share::close);
        share = Optional.empty();
    }
}
