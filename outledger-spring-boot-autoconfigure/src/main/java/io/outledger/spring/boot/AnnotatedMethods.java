// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.stereotype.Component;
import org.springframework.util.ClassUtils;

/** Finds annotated methods among the application's beans, without making any of the beans. */
final class AnnotatedMethods {

  private AnnotatedMethods() {}

  /**
   * A method.
   *
   * @param bean the name of the bean whose class has it
   * @param type the class of the bean itself, not of its proxy
   * @param method of that class
   * @param said its annotation
   */
  record Found<A extends Annotation>(String bean, Class<?> type, Method method, A said) {}

  static <A extends Annotation> List<Found<A>> find(
      ConfigurableListableBeanFactory beans, Class<A> annotation) {
    List<Found<A>> found = new ArrayList<>();
    for (String name : beans.getBeanDefinitionNames()) {
      // A scoped bean is found as its proxy.
      Class<?> type =
          ScopedProxyUtils.isScopedTarget(name)
              ? null
              : AutoProxyUtils.determineTargetClass(beans, name);
      if (type != null && !isOfSpring(type) && AnnotationUtils.isCandidateClass(type, annotation)) {
        MethodIntrospector.MetadataLookup<A> lookup =
            method -> AnnotatedElementUtils.findMergedAnnotation(method, annotation);
        MethodIntrospector.selectMethods(type, lookup)
            .forEach((method, said) -> found.add(new Found<>(name, type, method, said)));
      }
    }
    return found;
  }

  // Hundreds of beans are the framework's own, and to look at all of their methods takes a
  // noticeable part of a start.
  private static boolean isOfSpring(Class<?> type) {
    return type.getName().startsWith("org.springframework.")
        && !AnnotatedElementUtils.isAnnotated(ClassUtils.getUserClass(type), Component.class);
  }
}
