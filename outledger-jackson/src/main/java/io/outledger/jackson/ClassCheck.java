// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import com.fasterxml.jackson.databind.ser.impl.UnknownSerializer;
import com.fasterxml.jackson.databind.ser.std.JsonValueSerializer;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out, without data, whether a class and everything in it can be written and read: what
 * Jackson does at the first event, and what it says of a class then, which quotes nothing.
 * Thread-safe.
 */
final class ClassCheck {

  private final ObjectMapper mapper;

  ClassCheck(ObjectMapper mapper) {
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
    private final DeserializationConfig config = mapper.getDeserializationConfig();
    private final DeserializationContext context =
        ((DefaultDeserializationContext) mapper.getDeserializationContext())
            .createDummyInstance(config);

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
      } catch (JsonMappingException e) {
        throw new Unfit(field, e.getOriginalMessage() + Remedy.ofLanguage(type.getRawClass()));
      } catch (IllegalArgumentException e) { // Jackson's, of an annotation that it refuses
        throw new Unfit(field, String.valueOf(e.getMessage()));
      }
    }

    private void contents(JavaType type, String field) throws Unfit, JsonMappingException {
      if (type.getKeyType() != null) {
        context.findKeyDeserializer(type.getKeyType(), null);
      }
      if (type.getContentType() != null) {
        visit(type.getContentType(), field);
      }
    }

    private void value(JavaType type, String field) throws Unfit, JsonMappingException {
      JsonDeserializer<?> reads = context.findNonContextualValueDeserializer(type);
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

    private void bean(JavaType type, BeanDeserializerBase bean, String field)
        throws Unfit, JsonMappingException {
      if (!bean.getValueInstantiator().canInstantiate()) {
        throw new Unfit(
            field,
            "Jackson finds no way to create a "
                + type.getRawClass().getTypeName()
                + " (no Creators, like default constructor, exist)"
                + Remedy.of(type.getRawClass()));
      }
      JsonSerializer<?> writes = mapper.getSerializerProviderInstance().findValueSerializer(type);
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
        if (!saysHowItIsRead(property.getMember(), property.getType())) {
          visit(
              property.getType(),
              field.isEmpty() ? property.getName() : field + "." + property.getName());
        }
      }
    }

    /** Returns whether a class is written as a text or number, by @JsonValue. */
    private boolean isOneValue(JsonSerializer<?> writes, JavaType type) {
      AnnotatedMember value =
          writes instanceof JsonValueSerializer
              ? mapper.getSerializationConfig().introspect(type).findJsonValueAccessor()
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
    private boolean saysHowItIsRead(@Nullable AnnotatedMember field, JavaType type) {
      if (field == null) {
        return false;
      }
      AnnotationIntrospector annotations = config.getAnnotationIntrospector();
      boolean holds = type.isContainerType() || type.isReferenceType();
      return annotations.findDeserializer(field) != null
          || annotations.findContentDeserializer(field) != null
          || annotations.findDeserializationConverter(field) != null
          || annotations.findDeserializationContentConverter(field) != null
          || annotations.findPropertyTypeResolver(config, field, type) != null
          || (holds && annotations.findPropertyContentTypeResolver(config, field, type) != null);
    }

    private void subtypes(JavaType type, String field) throws Unfit, JsonMappingException {
      Class<?> base = type.getRawClass();
      TypeDeserializer names = config.findTypeDeserializer(type);
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
              .collectAndResolveSubtypesByTypeId(
                  config, config.introspectClassAnnotations(type).getClassInfo());
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
          ? "; it is a Kotlin class: add com.fasterxml.jackson.module:jackson-module-kotlin, and"
              + " without Spring Boot pass its module to JacksonSerializer.create(…)"
          : "";
    }
  }
}
