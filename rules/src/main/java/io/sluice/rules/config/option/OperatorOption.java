// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import java.util.List;
import java.util.Optional;

/**
 * One of the operator's own options, and what docs/reference/configuration.md says about it.
 *
 * @param ofResources whether a resource may set it for itself
 * @param isChecked whether a resource is refused if the option is set to something else than its
 *     type allows
 * @param addedBySluice whether the Apache operator does not have it
 * @param effect when a change of it takes effect
 * @param meaning what it does, or what happens instead if it is ignored
 * @param instead of an option that is ignored, the value that asks for what happens anyway
 * @param formerKeys older spellings of its key, in full
 */
public record OperatorOption(
        Option<?> option,
        boolean ofResources,
        boolean isChecked,
        boolean addedBySluice,
        Effect effect,
        String meaning,
        Optional<String> instead,
        List<String> formerKeys) {
    /** All keys of the operator's options begin so. */
    public static final String PREFIX = "kubernetes.operator.";

    public OperatorOption {
        formerKeys = List.copyOf(formerKeys);
    }

    /** When a change of the configuration's files takes effect. */
    public enum Effect {
        NOW,
        START,
        /** Never: the Apache operator has the option, and it is not honoured yet. */
        NO
    }

    public String key() {
        return option.key();
    }

    public OptionType<?> type() {
        return option.type();
    }

    /** Whether the option has an effect. */
    public boolean isHonoured() {
        return effect != Effect.NO;
    }

    /** Whether {@code value} asks for something that does not happen. */
    public boolean isInVain(String value) {
        return !isHonoured() && instead.filter(value.strip()::equalsIgnoreCase).isEmpty();
    }

    /** What is wrong with {@code value}; empty if nothing is, or nobody can tell. */
    public Optional<String> complaint(String value) {
        return option.type().complaint(value);
    }

    /** Whether it stands for every key that begins like its own. */
    public boolean isFamily() {
        return key().endsWith("*");
    }

    boolean isMeantBy(String key) {
        return isFamily()
                ? key.startsWith(key().substring(0, key().length() - 1))
                : key.equals(key());
    }
}
