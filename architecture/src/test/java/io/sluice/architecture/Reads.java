// SPDX-License-Identifier: Apache-2.0
package io.sluice.architecture;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How often characters of a text are read by a regular expression. */
final class Reads {
    /** A text that counts, and gives up after so many reads. */
    private static final class Counted implements CharSequence {
        private final String text;
        private final long most;
        private long reads;

        Counted(String text, long most) {
            this.text = text;
            this.most = most;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            reads++;
            if (reads > most) {
                throw new TooMany();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final class TooMany extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private Reads() {}

    /** {@link Long#MAX_VALUE} if it is more than {@code most}, or too deep for the stack. */
    static long of(Pattern pattern, boolean searched, String text, long most) {
        var counted = new Counted(text, most);
        Matcher matcher = pattern.matcher(counted);
        try {
            if (searched) {
                while (matcher.find()) {
                    // the next one
                }
            } else {
                matcher.matches();
            }
            return counted.reads;
        } catch (TooMany | StackOverflowError _) {
            return Long.MAX_VALUE;
        }
    }
}
