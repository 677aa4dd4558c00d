// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/**
 * Methods whose annotation asks for another transaction manager than that of their message's inbox
 * row. What they do would have a commit of its own, and a crash between the two would have it take
 * effect twice.
 */
final class SecondCommit {

  private final ConfigurableListableBeanFactory beans;
  private final Supplier<PlatformTransactionManager> rows;
  private final AnnotationTransactionAttributeSource annotations =
      new AnnotationTransactionAttributeSource(false);

  /**
   * Creates it.
   *
   * @param rows the transaction manager of inbox rows, asked for where a method has the annotation
   */
  SecondCommit(ConfigurableListableBeanFactory beans, Supplier<PlatformTransactionManager> rows) {
    this.beans = beans;
    this.rows = rows;
  }

  /** Says what is wrong with a method, and what to do; empty where its manager is the same. */
  Optional<String> problem(Method method, Class<?> type) {
    TransactionAttribute asked = annotations.getTransactionAttribute(method, type);
    TransactionAspectSupport reading = asked == null ? null : reading(method, type);
    if (asked == null || reading == null) {
      return Optional.empty(); // nothing reads an annotation that is there
    }
    String name = type.getName() + "." + method.getName();
    PlatformTransactionManager expected = rows.get();
    try {
      TransactionManager used = new Asked(reading, beans).manager(asked, type);
      return used == expected ? Optional.empty() : Optional.of(name + other(used, expected));
    } catch (BeansException e) {
      return Optional.of(
          name + " is @Transactional, and its transaction manager is not found: " + e.getMessage());
    }
  }

  /** Returns what acts on annotations: Spring's interceptor, or the aspect that AspectJ weaves. */
  private @Nullable TransactionAspectSupport reading(Method method, Class<?> type) {
    for (TransactionAspectSupport each : beans.getBeanProvider(TransactionAspectSupport.class)) {
      TransactionAttributeSource source = each.getTransactionAttributeSource();
      if (source != null && source.getTransactionAttribute(method, type) != null) {
        return each;
      }
    }
    return null;
  }

  private String other(@Nullable TransactionManager used, TransactionManager expected) {
    return " is @Transactional with "
        + name(used)
        + ", and its message is remembered in a transaction of "
        + name(expected)
        + ". The first would commit by itself, so a crash between the two would have the method"
        + " take effect twice. Name the second in the annotation, or leave the annotation out: the"
        + " method runs in a transaction already. What belongs to another data source is done by a"
        + " message of its own";
  }

  private String name(@Nullable TransactionManager manager) {
    Map<String, TransactionManager> all = beans.getBeansOfType(TransactionManager.class);
    return all.entrySet().stream()
        .filter(each -> each.getValue() == manager)
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(", "));
  }

  /** Asks Spring which one it would use. */
  private static final class Asked extends TransactionInterceptor {

    private static final long serialVersionUID = 1L;

    Asked(TransactionAspectSupport reading, ConfigurableListableBeanFactory beans) {
      setBeanFactory(beans);
      TransactionManager chosen = reading.getTransactionManager();
      if (chosen != null) {
        setTransactionManager(chosen);
      }
    }

    @Nullable TransactionManager manager(TransactionAttribute asked, Class<?> type) {
      return determineTransactionManager(asked, type);
    }
  }
}
