// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.gitops;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.lib.jse.JsePlatform;

/** The health of resources by the scripts for Argo CD in docs/gitops.md, which are run here. */
public final class ArgoCd {
    private static final Path DOCUMENT = Path.of("../docs/gitops.md");
    private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final String KEY = "resource.customizations.health.flink.apache.org_";

    private final Map<String, String> settings;

    private ArgoCd(Map<String, String> settings) {
        this.settings = settings;
    }

    /**
     * @param status Healthy, Progressing or Degraded
     */
    public record Health(String status, String message) {}

    /** With the settings of the ConfigMap in the document. */
    public static ArgoCd asDocumented() throws IOException {
        String settings =
                BLOCK.matcher(Files.readString(DOCUMENT))
                        .results()
                        .map(block -> block.group(1))
                        .filter(text -> text.contains("name: argocd-cm"))
                        .findFirst()
                        .orElseThrow();
        return new ArgoCd(Serialization.unmarshal(settings, ConfigMap.class).getData());
    }

    /** What Argo CD shows of {@code resource}, by the script for its kind. */
    public Health health(JsonNode resource) {
        String key = KEY + resource.path("kind").asText();
        Globals globals = JsePlatform.standardGlobals();
        globals.set("obj", lua(resource));
        LuaValue health =
                globals.load(Objects.requireNonNull(settings.get(key), key), "health.lua").call();
        return new Health(
                health.get("status").checkjstring(), health.get("message").optjstring(""));
    }

    private static LuaValue lua(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT, POJO -> table(node);
            case ARRAY -> list(node);
            case NUMBER -> LuaValue.valueOf(node.doubleValue());
            case BOOLEAN -> LuaValue.valueOf(node.booleanValue());
            case STRING, BINARY -> LuaValue.valueOf(node.asText());
            case NULL, MISSING -> LuaValue.NIL;
        };
    }

    private static LuaTable table(JsonNode node) {
        LuaTable table = LuaValue.tableOf();
        node.propertyStream().forEach(field -> table.set(field.getKey(), lua(field.getValue())));
        return table;
    }

    private static LuaTable list(JsonNode node) {
        LuaTable list = LuaValue.tableOf();
        for (int i = 0; i < node.size(); i++) {
            list.set(i + 1, lua(node.get(i)));
        }
        return list;
    }
}
