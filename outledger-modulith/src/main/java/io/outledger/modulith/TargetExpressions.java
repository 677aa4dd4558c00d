// SPDX-License-Identifier: Apache-2.0
package io.outledger.modulith;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.modulith.events.support.BrokerRouting;

/**
 * Evaluates the expressions of routing targets that are written in annotations.
 *
 * <p>A target that the application's code has computed may hold a customer's text, and Modulith
 * tells it from an expression by its first two characters alone: evaluated, it would run the
 * customer's code. So only what an annotation says, word for word, is an expression. Thread-safe.
 */
final class TargetExpressions {

  private final StandardEvaluationContext context = new StandardEvaluationContext();
  private final Map<Class<?>, ExternalizedClass> annotations = new ConcurrentHashMap<>();

  TargetExpressions(BeanFactory beans) {
    this.context.setBeanResolver(new BeanFactoryResolver(beans));
  }

  /**
   * Returns the topic of an event.
   *
   * @param mapped what Modulith's mapping made of it: expressions see that
   * @throws InvalidMessageException {@code OUT-014} if the code of the application returned an
   *     expression, which would be a topic that nobody means
   */
  String topic(RoutingTarget target, Object event, Object mapped) {
    if (isWritten(target, event, mapped)) {
      return BrokerRouting.of(written(target, event, mapped), context).getTarget(mapped);
    }
    if (target.getTarget().startsWith(ExternalizedClass.EXPRESSION)) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "the target of an externalised event of "
              + event.getClass().getName()
              + " is an expression that the application's code has computed; expressions are"
              + " evaluated in the annotation @Externalized alone, so write it there, or let the"
              + " code compute the topic itself");
    }
    return target.getTarget();
  }

  /** Returns the key of an event whose target has one; null where its expression yields none. */
  @Nullable String key(RoutingTarget target, Object event, Object mapped) {
    String key = String.valueOf(target.getKey());
    if (!saysKey(key, event, mapped)) {
      return key;
    }
    RoutingTarget written =
        isWritten(target, event, mapped) ? target : RoutingTarget.forTarget("any").andKey(key);
    return BrokerRouting.of(written, context).getKey(mapped);
  }

  /** Returns whether a target is, word for word, that of an annotation. */
  boolean isWritten(RoutingTarget target, Object event, Object mapped) {
    return annotations(event, mapped).anyMatch(each -> each.saysTarget(target.getTarget()));
  }

  // Modulith evaluates both parts or none, so a key that was computed must not be among them.
  private RoutingTarget written(RoutingTarget target, Object event, Object mapped) {
    String key = target.getKey();
    return key == null || saysKey(key, event, mapped)
        ? target
        : RoutingTarget.forTarget(target.getTarget()).withoutKey();
  }

  private boolean saysKey(String key, Object event, Object mapped) {
    return annotations(event, mapped).anyMatch(each -> each.saysKey(key));
  }

  // Modulith can also be told to route what the mapping returned.
  private Stream<ExternalizedClass> annotations(Object event, Object mapped) {
    return Stream.of(event.getClass(), mapped.getClass())
        .map(type -> annotations.computeIfAbsent(type, ExternalizedClass::of));
  }
}
