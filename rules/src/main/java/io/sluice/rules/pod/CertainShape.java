// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.pod;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Which JSON is certainly of the shape of a class of the Kubernetes model. To find that out by
 * making an object takes several times as long. What is not certain has to be read: Jackson takes a
 * number for a text, for example.
 */
final class CertainShape {
    private static final Pattern QUANTITY = Pattern.compile("[0-9]{1,12}(m|[kMGT]i?)?");

    private final DeserializationConfig config;
    private final JavaType root;

    /** Of the types that were met so far. */
    private final Map<JavaType, Predicate<JsonNode>> shapes = new ConcurrentHashMap<>();

    CertainShape(ObjectMapper mapper, Class<?> of) {
        config = mapper.getDeserializationConfig();
        root = mapper.constructType(of);
    }

    /** Whether {@code json} can be read as the class; false if only reading it would tell. */
    boolean isOf(JsonNode json) {
        return fits(json, root);
    }

    private boolean fits(JsonNode json, JavaType type) {
        return json.isNull() || shapes.computeIfAbsent(type, this::shape).test(json);
    }

    private Predicate<JsonNode> shape(JavaType type) {
        Class<?> raw = type.getRawClass();
        if (raw == String.class) {
            return JsonNode::isTextual;
        }
        if (raw == Boolean.class) {
            return JsonNode::isBoolean;
        }
        if (raw == Integer.class) {
            return json -> json.isIntegralNumber() && json.canConvertToInt();
        }
        if (raw == Long.class) {
            return json -> json.isIntegralNumber() && json.canConvertToLong();
        }
        if (raw == IntOrString.class) {
            return json -> json.isInt() || json.isTextual();
        }
        if (raw == Quantity.class) {
            return json -> json.isTextual() && QUANTITY.matcher(json.textValue()).matches();
        }
        if (type.isCollectionLikeType()) {
            return json -> json.isArray() && all(json, type.getContentType());
        }
        if (type.isMapLikeType()) {
            return json -> json.isObject() && all(json, type.getContentType());
        }
        return fields(type).map(CertainShape::object).orElse(_ -> false);
    }

    private boolean all(JsonNode json, JavaType type) {
        for (JsonNode each : json) {
            if (!fits(each, type)) {
                return false;
            }
        }
        return true;
    }

    /** A field that the class does not have may hold anything. */
    private static Predicate<JsonNode> object(Map<String, Predicate<JsonNode>> fields) {
        return json -> {
            if (!json.isObject()) {
                return false;
            }
            for (Map.Entry<String, JsonNode> each : json.properties()) {
                if (!fields.getOrDefault(each.getKey(), _ -> true).test(each.getValue())) {
                    return false;
                }
            }
            return true;
        };
    }

    /** Empty unless the class is read field by field, whatever others it finds. */
    private Optional<Map<String, Predicate<JsonNode>>> fields(JavaType type) {
        BeanDescription bean = config.introspect(type);
        boolean isPlain =
                bean.findAnySetterAccessor() != null
                        && config.getAnnotationIntrospector().findDeserializer(bean.getClassInfo())
                                == null;
        if (!isPlain) {
            return Optional.empty();
        }
        Map<String, Predicate<JsonNode>> fields = new HashMap<>();
        for (BeanPropertyDefinition each : bean.findProperties()) {
            JavaType of = each.getPrimaryType();
            fields.put(each.getName(), json -> fits(json, of));
        }
        return Optional.of(fields);
    }
}
