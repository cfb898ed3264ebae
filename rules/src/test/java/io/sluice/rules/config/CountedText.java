// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

/**
 * A text that counts how often one of its characters is read, and gives up after too many times.
 */
final class CountedText implements CharSequence {
    private final String text;
    private final long most;
    private long reads;

    CountedText(String text, long most) {
        this.text = text;
        this.most = most;
    }

    long reads() {
        return reads;
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        reads++;
        if (reads > most) {
            throw new IllegalStateException("read " + most + " characters of " + text.length());
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        reads += end - start;
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
