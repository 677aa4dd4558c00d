// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import io.outledger.Require;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.Ordered;

/**
 * Appends events that the application publishes through Spring, when they are published. It hears
 * of those that are published while the transaction is being committed, too, which a listener of a
 * transaction's phase would miss.
 *
 * <p>An event is appended before other listeners get it, so that it is not lost if one of them
 * fails and the publisher ignores that. It is appended on the publisher's thread, even where an
 * event multicaster has an executor. The same event object is appended once in a transaction.
 */
public final class PublishedEvents implements ApplicationListener<ApplicationEvent>, Ordered {

  private static final String SPRING = "org.springframework.";

  private final Predicate<Object> wanted;
  private final Supplier<SpringOutbox> outbox;

  /**
   * Creates it.
   *
   * @param wanted which events are appended; asked for each that is published, but not for the
   *     framework's own
   * @param outbox what they are appended to; asked for when there is one to append
   */
  public PublishedEvents(Predicate<Object> wanted, Supplier<SpringOutbox> outbox) {
    this.wanted = Require.nonNull("wanted", wanted);
    this.outbox = Require.nonNull("outbox", outbox);
  }

  @Override
  public void onApplicationEvent(ApplicationEvent published) {
    if (isOfTheFramework(published)) {
      return;
    }
    Object event =
        published instanceof PayloadApplicationEvent<?> carrier ? carrier.getPayload() : published;
    if (wanted.test(event)) {
      outbox.get().appendOnce(event);
    }
  }

  // Such as that the context was refreshed; an object that is published is in an event of Spring's.
  private static boolean isOfTheFramework(ApplicationEvent published) {
    return published.getClass() != PayloadApplicationEvent.class
        && published.getClass().getName().startsWith(SPRING);
  }

  /** The transaction is that of the publisher's thread. */
  @Override
  public boolean supportsAsyncExecution() {
    return false;
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }
}
