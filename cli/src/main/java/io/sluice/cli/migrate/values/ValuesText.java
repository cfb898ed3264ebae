// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate.values;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.List;

/** The values as a file of YAML, which begins with what there is to say of them. */
final class ValuesText {
    private static final YAMLMapper YAML =
            YAMLMapper.builder()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .disable(YAMLGenerator.Feature.SPLIT_LINES)
                    .enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE)
                    .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
                    .build();

    private ValuesText() {}

    /**
     * @param file where the values came from
     */
    static String of(String file, Migration migration) {
        var text = new StringBuilder("# Values of helm/sluice, made from ").append(file);
        text.append(" by sluice migrate values.\n");
        section(text, "Decide about these values, which were left out:", migration.open());
        section(text, "Look at these values, which were taken over:", migration.check());
        section(text, "These values were left out, and need no counterpart:", migration.kept());
        return text.append('\n').append(yaml(migration)).toString();
    }

    private static void section(
            StringBuilder text, String title, List<Migration.ValueNote> remarks) {
        if (remarks.isEmpty()) {
            return;
        }
        text.append("#\n# ").append(title).append('\n');
        for (Migration.ValueNote remark : remarks) {
            text.append("#   ")
                    .append(remark.path())
                    .append(" (line ")
                    .append(remark.line())
                    .append("): ")
                    .append(remark.text().replace('\n', ' '))
                    .append('\n');
        }
    }

    private static String yaml(Migration migration) {
        try {
            return YAML.writeValueAsString(migration.values());
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("writing a tree", impossible);
        }
    }
}
