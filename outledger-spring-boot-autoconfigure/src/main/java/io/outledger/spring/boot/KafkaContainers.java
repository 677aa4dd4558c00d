// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Problems;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.CommonLoggingErrorHandler;
import org.springframework.kafka.listener.ExceptionClassifier;

/**
 * Those of Spring Kafka. Without an error handler of its own, a container passes a record on after
 * ten attempts within a few seconds, and an outage of the database takes longer. With one, it
 * passes a record on at the first attempt if what failed is an exception that the handler counts as
 * fatal, unless that is changed. How often a handler of the application tries, and where it puts
 * what it gives up, is not known to anybody but itself.
 *
 * @see <a
 *     href="https://docs.spring.io/spring-kafka/reference/kafka/annotation-error-handling.html">
 *     Spring Kafka's default</a>
 */
final class KafkaContainers implements ForeignContainers {

  private static final String REMEDY =
      ". Declare a bean DefaultErrorHandler, new DefaultErrorHandler(new FixedBackOff(1000,"
          + " FixedBackOff.UNLIMITED_ATTEMPTS)), and call its setClassifications(Map.of(), true):"
          + " then it holds the partition until the record is processed. Or receive by"
          + " @InboxListener, which parks what fails and goes on";

  private final KafkaListening listening;

  KafkaContainers(KafkaListening listening) {
    this.listening = listening;
  }

  @Override
  public boolean mayCall(Method method) {
    return listening.mayCall(method);
  }

  @Override
  public void check(List<Called> methods, Problems problems) {
    for (AbstractMessageListenerContainer<?, ?> container : listening.containers()) {
      List<Called> called = listening.calledBy(container, methods);
      String loss = called.isEmpty() ? null : loss(container.getCommonErrorHandler());
      if (loss != null) {
        problems.add(
            "the container "
                + container.getListenerId()
                + loss
                + ", while @Inboxed is on "
                + called
                + REMEDY);
      }
    }
  }

  /** Says how a container with this handler loses a record; null if that is not known. */
  private static @Nullable String loss(@Nullable CommonErrorHandler handler) {
    if (handler == null) {
      return " has no error handler, and by default it gives a record up after ten attempts in a"
          + " few seconds";
    }
    if (handler instanceof CommonLoggingErrorHandler) {
      return " has a CommonLoggingErrorHandler, which logs a failure and passes the record on";
    }
    return handler instanceof ExceptionClassifier classifier && givesUpAtOnce(classifier)
        ? " has an error handler that does not retry Spring Kafka's fatal exceptions, such as a"
            + " ClassCastException of the method or of what it calls: at the first attempt,"
            + " whatever its back-off, it hands the record to its recoverer, by default a mere"
            + " log, and passes it on. Where a recoverer of yours keeps the record, say by"
            + " setClassifications which exceptions are for it at once"
        : null;
  }

  /** The handler tells how it classifies an exception by forgetting it, so it is told again. */
  private static boolean givesUpAtOnce(ExceptionClassifier classifier) {
    boolean isDefault = true;
    for (Class<? extends Throwable> each : ExceptionClassifier.defaultFatalExceptionsList()) {
      Class<? extends Exception> type = each.asSubclass(Exception.class);
      Boolean isRetried = classifier.removeClassification(type);
      isDefault &= Boolean.FALSE.equals(isRetried);
      restore(classifier, type, isRetried);
    }
    return isDefault;
  }

  private static void restore(
      ExceptionClassifier classifier,
      Class<? extends Exception> type,
      @Nullable Boolean isRetried) {
    if (Boolean.FALSE.equals(isRetried)) {
      classifier.addNotRetryableExceptions(type);
    } else if (isRetried != null) {
      classifier.addRetryableExceptions(type);
    }
  }
}
