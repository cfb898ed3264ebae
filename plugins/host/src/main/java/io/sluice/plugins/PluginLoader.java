// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugins;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Optional;

/**
 * Sees Java, the plugin interfaces, the log, and the plugin's own jars: what Sluice is made of can
 * be changed without a plugin noticing, and a plugin may bring any version of any library.
 */
final class PluginLoader extends URLClassLoader {
    PluginLoader(String name, URL[] jars) {
        super(name, jars, new Shared(ours()));
    }

    private static ClassLoader ours() {
        return Optional.ofNullable(PluginLoader.class.getClassLoader())
                .orElseGet(ClassLoader::getSystemClassLoader);
    }

    private static final class Shared extends ClassLoader {
        private final ClassLoader ours;

        Shared(ClassLoader ours) {
            super(ClassLoader.getPlatformClassLoader());
            this.ours = ours;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            boolean isShared =
                    name.matches("io\\.sluice\\.plugin\\.[A-Z]\\w*")
                            || name.startsWith("org.slf4j.");
            if (!isShared) {
                throw new ClassNotFoundException(name);
            }
            return ours.loadClass(name);
        }
    }
}
