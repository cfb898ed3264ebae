// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Takes the value of an option from behind an equals sign only, so that what follows an option
 * without one is an argument of its own.
 */
final class AttachedValue implements IParameterPreprocessor {
    @Override
    public boolean preprocess(
            Stack<String> arguments,
            CommandSpec command,
            ArgSpec option,
            Map<String, Object> info) {
        boolean isAttached = command.parser().separator().equals(info.get("separator"));
        if (!isAttached && option instanceof OptionSpec named) {
            arguments.push(named.fallbackValue());
        }
        return false;
    }
}
