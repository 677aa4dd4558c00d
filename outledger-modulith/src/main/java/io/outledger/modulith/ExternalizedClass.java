// SPDX-License-Identifier: Apache-2.0
package io.outledger.modulith;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.filter.AbstractTypeHierarchyTraversingFilter;
import org.springframework.util.ClassUtils;

/**
 * A class that is annotated as externalised, by itself, a superclass or an interface.
 *
 * @param type the class
 * @param routing what the annotation says: a target, a key after {@code ::}, both or neither
 */
record ExternalizedClass(Class<?> type, String routing) {

  /** What an expression begins with. */
  static final String EXPRESSION = "#{";

  private static final String KEY_AFTER = "::";

  /** Modulith asks for jMolecules' first. */
  private static final List<String> ANNOTATIONS =
      List.of(
          "org.jmolecules.event.annotation.Externalized",
          "org.springframework.modulith.events.Externalized");

  /** Finds those in packages and the packages below, in the order of their names. */
  static List<ExternalizedClass> in(List<String> packages) {
    var scanner = new ClassPathScanningCandidateComponentProvider(false);
    scanner.addIncludeFilter(new Annotated());
    var names = new TreeSet<String>();
    for (String each : packages) {
      for (BeanDefinition found : scanner.findCandidateComponents(each)) {
        names.add(String.valueOf(found.getBeanClassName()));
      }
    }
    return names.stream()
        .map(name -> ClassUtils.resolveClassName(name, ClassUtils.getDefaultClassLoader()))
        .<ExternalizedClass>map(ExternalizedClass::of)
        .toList();
  }

  /** Returns what a class's annotation says; of a class without one, that it says nothing. */
  static ExternalizedClass of(Class<?> type) {
    return new ExternalizedClass(type, routingOf(type));
  }

  private static String routingOf(Class<?> type) {
    MergedAnnotations all = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY);
    return ANNOTATIONS.stream()
        .map(all::get)
        .filter(MergedAnnotation::isPresent)
        .flatMap(said -> Stream.of(said.getString("target"), said.getString("value")))
        .filter(text -> !text.isBlank())
        .findFirst()
        .orElse("");
  }

  String name() {
    return type.getName();
  }

  /** Returns the target where it is a text that is not computed. */
  Optional<String> target() {
    return Optional.of(routing.split(KEY_AFTER, 2)[0].trim())
        .filter(text -> !text.isEmpty() && !text.contains(EXPRESSION));
  }

  /** Returns whether a target is, word for word, the annotation's. */
  boolean saysTarget(String target) {
    return routing.split(KEY_AFTER, 2)[0].trim().equals(target);
  }

  /** Returns whether a key is, word for word, the annotation's. */
  boolean saysKey(String key) {
    return hasKey() && routing.split(KEY_AFTER, 2)[1].trim().equals(key);
  }

  boolean hasKey() {
    return routing.contains(KEY_AFTER);
  }

  /** Returns whether a target is a class's name, or its end, as where Modulith is told no other. */
  static boolean isNameOf(Class<?> type, String target) {
    return type.getName().equals(target) || type.getName().endsWith("." + target);
  }

  /** Reads class files, so that no class is loaded that is not annotated. */
  private static final class Annotated extends AbstractTypeHierarchyTraversingFilter {

    private Annotated() {
      super(true, true);
    }

    @Override
    protected boolean matchSelf(MetadataReader reader) {
      return ANNOTATIONS.stream().anyMatch(reader.getAnnotationMetadata()::isAnnotated);
    }

    @Override
    protected Boolean matchSuperClass(String superclass) {
      return unlessOfTheJdk(superclass);
    }

    @Override
    protected Boolean matchInterface(String type) {
      return unlessOfTheJdk(type);
    }

    // Null asks to read the class file.
    @SuppressWarnings("NullAway")
    private static Boolean unlessOfTheJdk(String name) {
      return name.startsWith("java.") ? false : null;
    }
  }
}
