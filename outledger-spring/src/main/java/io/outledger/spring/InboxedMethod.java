// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import io.outledger.ConfigurationException;
import io.outledger.Name;
import io.outledger.Require;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** A method with {@link Inboxed}, and whether it can take effect once. */
public final class InboxedMethod {

  /** Spring Kafka's, by its name, as it may not be on the class path. */
  private static final String RETRYABLE_TOPIC =
      "org.springframework.kafka.annotation.RetryableTopic";

  private InboxedMethod() {}

  /**
   * Says what is wrong with a method with {@link Inboxed}, and what to do: empty where it can take
   * effect once. The starters refuse the start of an application with one that cannot.
   *
   * @param method of the class itself, not of its proxy
   * @param identities of messages that tell their identity themselves
   */
  public static Optional<String> problem(
      Method method, Iterable<? extends MessageIdentity> identities) {
    Require.nonNull("method", method);
    Require.nonNull("identities", identities);
    String name = method.getDeclaringClass().getName() + "." + method.getName();
    if (LaterWork.isDoneBy(method)) {
      return Optional.of(
          name
              + " returns before its work is done: an @Inboxed method must not be @Async, nor"
              + " return a Mono, a Flux, a CompletableFuture or the like. Do the work, wait for its"
              + " result, and return that");
    }
    if (OtherTransaction.isUsedBy(method)) {
      return Optional.of(
          name
              + " leaves the transaction of its inbox row, by REQUIRES_NEW, NOT_SUPPORTED or NEVER,"
              + " so a crash between the two would have it take effect twice. @Inboxed runs a"
              + " transaction for it: remove the propagation");
    }
    Class<?> returned = method.getReturnType();
    if (returned.isPrimitive() && returned != void.class) {
      return Optional.of(
          name
              + " returns "
              + returned
              + ", but a call for a message that was processed before has nothing to return."
              + " Return a type that can be null, or void");
    }
    int modifiers = method.getModifiers();
    if (Modifier.isPrivate(modifiers)
        || Modifier.isFinal(modifiers)
        || Modifier.isStatic(modifiers)) {
      return Optional.of(
          name
              + " is private, final or static, so Spring's proxy cannot see its calls, and @Inboxed"
              + " would do nothing. Make it public, and not final");
    }
    Inboxed said = AnnotatedElementUtils.findMergedAnnotation(method, Inboxed.class);
    return said == null
        ? Optional.empty()
        : identity(method, said, identities).map(why -> name + ": " + why);
  }

  private static Optional<String> identity(
      Method method, Inboxed said, Iterable<? extends MessageIdentity> identities) {
    try {
      Name.check("consumer", said.consumer());
    } catch (ConfigurationException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
    if (said.source().isBlank() && said.id().isBlank()) {
      return byItsMessage(method, identities);
    }
    return said.source().isBlank()
        ? Optional.of("the source is blank; name who sends the messages, such as the topic")
        : InboxedId.problem(method, said.id());
  }

  private static Optional<String> byItsMessage(
      Method method, Iterable<? extends MessageIdentity> identities) {
    if (message(method, identities) < 0) {
      return Optional.of(
          "its @Inboxed has no source and no id, and none of its parameters is a message that tells"
              + " them, such as Kafka's ConsumerRecord. Name the source, such as the topic, and"
              + " write an expression for the id, such as #p0");
    }
    return isRetriedByTopics(method)
        ? Optional.of(
            "its @Inboxed has no source and no id, so a message is remembered by its topic, and"
                + " @RetryableTopic sends what failed to another topic: delivered once more by the"
                + " first one, it would take effect twice. Name the source, such as the first"
                + " topic, and write an expression for the id, such as"
                + " #p0.headers().lastHeader('ce_id').value()")
        : Optional.empty();
  }

  private static boolean isRetriedByTopics(Method method) {
    return Stream.<AnnotatedElement>of(method, method.getDeclaringClass())
        .map(place -> MergedAnnotations.from(place, SearchStrategy.TYPE_HIERARCHY))
        .anyMatch(all -> all.isPresent(RETRYABLE_TOPIC));
  }

  /** Returns which parameter tells the identity of the message itself; -1 where none does. */
  static int message(Method method, Iterable<? extends MessageIdentity> identities) {
    Class<?>[] parameters = method.getParameterTypes();
    for (int i = 0; i < parameters.length; i++) {
      if (MessageIdentity.among(identities, parameters[i]).isPresent()) {
        return i;
      }
    }
    return -1;
  }
}
