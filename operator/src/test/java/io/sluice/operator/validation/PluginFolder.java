// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.validation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.plugin.Validator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** A folder of plugins as it is mounted, with one validator in it. */
public final class PluginFolder {
    private PluginFolder() {}

    /** Writes a jar with nothing but {@code validator} below {@code folder}. */
    public static Path write(Path folder, Class<? extends Validator> validator) throws IOException {
        Path jar = Files.createDirectories(folder.resolve("house")).resolve("house.jar");
        String file = validator.getName().replace('.', '/') + ".class";
        try (var out = new JarOutputStream(Files.newOutputStream(jar));
                InputStream code =
                        Objects.requireNonNull(
                                PluginFolder.class.getClassLoader().getResourceAsStream(file))) {
            out.putNextEntry(new JarEntry(file));
            code.transferTo(out);
            out.putNextEntry(new JarEntry("META-INF/services/" + Validator.class.getName()));
            out.write(validator.getName().getBytes(UTF_8));
        }
        return folder;
    }
}
