// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson3;

import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.ser.impl.UnknownSerializer;
import tools.jackson.databind.ser.jackson.JsonValueSerializer;

/**
 * Finds out, without data, whether a class and everything in it can be written and read: what
 * Jackson does at the first event, and what it says of a class then, which quotes nothing.
 * Thread-safe.
 */
final class ClassCheck {

  private final JsonMapper mapper;

  ClassCheck(JsonMapper mapper) {
    this.mapper = mapper;
  }

  /** Returns why a class cannot be written or read, and what to do; empty where it can. */
  Optional<String> problem(JavaType type) {
    try {
      new Walk().visit(type, "");
      return Optional.empty();
    } catch (Unfit e) {
      return Optional.of(e.why);
    }
  }

  /** Ends a walk. */
  private static final class Unfit extends Exception {

    private static final long serialVersionUID = 1L;

    private final String why;

    Unfit(String field, String why) {
      super(null, null, false, false);
      this.why = (field.isEmpty() ? "" : "field " + field + ": ") + why;
    }
  }

  /** One walk through a class, and once through each class in it. */
  private final class Walk {

    private final Set<JavaType> seen = new HashSet<>();
    private final DeserializationConfig config = mapper.deserializationConfig();
    private final DeserializationContext context = mapper._deserializationContext();

    void visit(JavaType type, String field) throws Unfit {
      if (!seen.add(type)) {
        return;
      }
      try {
        if (type.isContainerType() || type.isReferenceType()) {
          contents(type, field);
        } else {
          value(type, field);
        }
      } catch (JacksonException e) {
        throw new Unfit(field, e.getOriginalMessage() + Remedy.ofLanguage(type.getRawClass()));
      } catch (IllegalArgumentException e) { // Jackson's, of an annotation that it refuses
        throw new Unfit(field, String.valueOf(e.getMessage()));
      }
    }

    private void contents(JavaType type, String field) throws Unfit {
      if (type.getKeyType() != null) {
        context.findKeyDeserializer(type.getKeyType(), null);
      }
      if (type.getContentType() != null) {
        visit(type.getContentType(), field);
      }
    }

    private void value(JavaType type, String field) throws Unfit {
      ValueDeserializer<?> reads = context.findNonContextualValueDeserializer(type);
      if (reads instanceof BeanDeserializerBase bean) {
        bean(type, bean, field);
      } else if (reads instanceof AbstractDeserializer) {
        subtypes(type, field);
      } else if (reads instanceof UnsupportedTypeDeserializer) {
        throw new Unfit(
            field,
            "Jackson reads a " + type.getRawClass().getTypeName() + " with a module only: add it");
      }
    }

    private void bean(JavaType type, BeanDeserializerBase bean, String field) throws Unfit {
      if (!bean.getValueInstantiator().canInstantiate()) {
        throw new Unfit(
            field,
            "Jackson finds no way to create a "
                + type.getRawClass().getTypeName()
                + " (no Creators, like default constructor, exist)"
                + Remedy.of(type.getRawClass()));
      }
      ValueSerializer<?> writes = mapper._serializationContext().findValueSerializer(type);
      if (writes instanceof UnknownSerializer) {
        throw new Unfit(
            field, type.getRawClass().getTypeName() + " has no fields that Jackson could write");
      }
      if (isOneValue(writes, type) && !isReadFromOneValue(bean.getValueInstantiator())) {
        throw new Unfit(
            field,
            "a "
                + type.getRawClass().getTypeName()
                + " is written as one value and read from an object; annotate its constructor with"
                + " @JsonCreator(mode = JsonCreator.Mode.DELEGATING)");
      }
      for (Iterator<SettableBeanProperty> all = bean.properties(); all.hasNext(); ) {
        SettableBeanProperty property = all.next();
        if (!saysHowItIsRead(property.getMember())) {
          visit(
              property.getType(),
              field.isEmpty() ? property.getName() : field + "." + property.getName());
        }
      }
    }

    /** Returns whether a class is written as a text or number, by @JsonValue. */
    private boolean isOneValue(ValueSerializer<?> writes, JavaType type) {
      AnnotatedMember value =
          writes instanceof JsonValueSerializer
              ? mapper
                  ._serializationContext()
                  .introspectBeanDescription(type)
                  .findJsonValueAccessor()
              : null;
      return value != null
          && (value.getType().isPrimitive()
              || value.getType().isTypeOrSubTypeOf(Number.class)
              || value.getType().hasRawClass(String.class)
              || value.getType().hasRawClass(UUID.class));
    }

    private static boolean isReadFromOneValue(ValueInstantiator creates) {
      return creates.canCreateFromString()
          || creates.canCreateFromInt()
          || creates.canCreateFromLong()
          || creates.canCreateFromBigInteger()
          || creates.canCreateFromDouble()
          || creates.canCreateFromBigDecimal()
          || creates.canCreateFromBoolean()
          || creates.canCreateUsingDelegate()
          || creates.canCreateUsingArrayDelegate();
    }

    /** Returns whether annotations of a field say how it is read, which is its author's matter. */
    private boolean saysHowItIsRead(@Nullable AnnotatedMember field) {
      if (field == null) {
        return false;
      }
      AnnotationIntrospector annotations = config.getAnnotationIntrospector();
      return annotations.findDeserializer(config, field) != null
          || annotations.findContentDeserializer(config, field) != null
          || annotations.findDeserializationConverter(config, field) != null
          || annotations.findDeserializationContentConverter(config, field) != null
          || annotations.findPolymorphicTypeInfo(config, field) != null;
    }

    private void subtypes(JavaType type, String field) throws Unfit {
      Class<?> base = type.getRawClass();
      TypeDeserializer names = context.findTypeDeserializer(type);
      if (names == null) {
        throw new Unfit(
            field,
            base.getTypeName()
                + " is abstract, and nothing says which class to read"
                + Remedy.of(base));
      }
      Collection<NamedType> named =
          config
              .getSubtypeResolver()
              .collectAndResolveSubtypesByTypeId(config, context.introspectClassAnnotations(type));
      if (names.getDefaultImpl() == null
          && named.stream().allMatch(subtype -> subtype.getType() == base)) {
        throw new Unfit(
            field, "no subtype of " + base.getTypeName() + " is named; list them in @JsonSubTypes");
      }
      for (NamedType subtype : named) {
        if (subtype.getType() != base) {
          visit(mapper.constructType(subtype.getType()), field);
        }
      }
    }
  }

  /** What the author of a class can do. */
  private static final class Remedy {

    static String of(Class<?> type) {
      String ofLanguage = ofLanguage(type);
      if (!ofLanguage.isEmpty()) {
        return ofLanguage;
      }
      if (type.isSealed()) {
        return "; annotate it with @JsonTypeInfo(use = JsonTypeInfo.Id.NAME), and each subtype with"
            + " @JsonTypeName";
      }
      if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
        return "; annotate it with @JsonTypeInfo(use = JsonTypeInfo.Id.NAME) and @JsonSubTypes, so"
            + " that each payload names its subtype";
      }
      return "; make it a record, compile it with -parameters, or annotate its constructor with"
          + " @JsonCreator and the parameters with @JsonProperty (Lombok: @Jacksonized, or"
          + " lombok.anyConstructor.addConstructorProperties = true)";
    }

    static String ofLanguage(Class<?> type) {
      boolean isKotlins =
          Stream.of(type.getAnnotations())
              .anyMatch(each -> each.annotationType().getName().equals("kotlin.Metadata"));
      return isKotlins && !type.isInterface()
          ? "; it is a Kotlin class: add tools.jackson.module:jackson-module-kotlin, and"
              + " without Spring Boot pass its module to Jackson3Serializer.create(…)"
          : "";
    }
  }
}
