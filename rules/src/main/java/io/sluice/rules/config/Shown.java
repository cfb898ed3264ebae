// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

/** A text that is copied from its beginning to its end, parts of it replaced. */
final class Shown {
    private final CharSequence text;
    private final StringBuilder shown;
    private int copied;

    Shown(CharSequence text) {
        this.text = text;
        shown = new StringBuilder(text.length());
    }

    /** Everything before {@code start} is shown, what stands from there to {@code end} is not. */
    void hide(int start, int end) {
        shown.append(text, copied, start).append(SecretKeys.HIDDEN);
        copied = end;
    }

    /** Up to where the text is dealt with. */
    int copied() {
        return copied;
    }

    String text() {
        return shown.append(text, copied, text.length()).toString();
    }
}
