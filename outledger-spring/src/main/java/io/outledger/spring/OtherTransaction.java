// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Methods whose annotation has them leave the transaction that they are called in. What such a
 * method does is committed without the inbox row of its message, and happens again if the process
 * crashes between the two.
 */
public final class OtherTransaction {

  private static final Set<Propagation> LEAVING =
      Set.of(Propagation.REQUIRES_NEW, Propagation.NOT_SUPPORTED, Propagation.NEVER);

  /** An annotation of a library that may be absent, with the same names for the same meaning. */
  private static final String JAKARTA = "jakarta.transaction.Transactional";

  private OtherTransaction() {}

  /** Returns whether a method leaves the transaction, as far as its annotations tell. */
  public static boolean isUsedBy(Method method) {
    // What the method says counts before what its class says, as Spring does it.
    for (AnnotatedElement each : List.of(method, method.getDeclaringClass())) {
      Transactional springs = AnnotatedElementUtils.findMergedAnnotation(each, Transactional.class);
      if (springs != null) {
        return LEAVING.contains(springs.propagation());
      }
      MergedAnnotation<Annotation> other =
          MergedAnnotations.from(each, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)
              .get(JAKARTA);
      if (other.isPresent()) {
        String type = String.valueOf(other.getValue("value").orElse(""));
        return LEAVING.stream().anyMatch(leaving -> leaving.name().equals(type));
      }
    }
    return false;
  }
}
