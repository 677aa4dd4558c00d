// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot.test;

import io.outledger.Message;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.ReceiveFailedException;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.spring.boot.ReceiverDefinitions;
import java.util.List;
import java.util.Map;

/**
 * Delivers events to methods with {@code @InboxListener}, as a broker would, on the test's thread
 * and in the same transaction with the same inbox. Nothing is parked: what a listener throws
 * reaches the test. Thread-safe.
 */
public final class TestReceivers {

  /** The source of the messages that are delivered. */
  public static final String SOURCE = "/test";

  private final Outledger outledger;
  private final ReceiverDefinitions definitions;

  TestReceivers(Outledger outledger, ReceiverDefinitions definitions) {
    this.outledger = outledger;
    this.definitions = definitions;
  }

  /**
   * Delivers an event in a new message, as this thread would append it: with the headers of its
   * {@linkplain io.outledger.event.ContextPropagator context}.
   *
   * @param consumer that of the {@code @InboxListener}
   * @param event of a registered class
   * @return the message, to be delivered once more
   * @throws IllegalArgumentException if no listener has this consumer, or a mapping does not make
   *     one message of the event
   * @throws Exception what the listener throws; its transaction was rolled back
   */
  public Message deliver(String consumer, Object event) throws Exception {
    List<Message> appended = outledger.events().messages(List.of(Require.nonNull("event", event)));
    if (appended.size() != 1) {
      throw new IllegalArgumentException(
          "a mapping makes " + appended.size() + " messages of this event: deliver each of them");
    }
    deliver(consumer, appended.get(0));
    return appended.get(0);
  }

  /**
   * Delivers a message, such as one that was delivered before or that has headers of its own.
   *
   * @param consumer that of the {@code @InboxListener}
   * @throws IllegalArgumentException if no listener has this consumer
   * @throws Exception what the listener throws; its transaction was rolled back
   */
  public void deliver(String consumer, Message message) throws Exception {
    Map<String, BatchHandler> handlers = definitions.handlers();
    BatchHandler handler = handlers.get(Require.nonNull("consumer", consumer));
    if (handler == null) {
      throw new IllegalArgumentException(
          "no bean has a method with @InboxListener(\""
              + consumer
              + "\"); there are listeners of "
              + handlers.keySet()
              + ". In a slice, @Import the bean");
    }
    try {
      handler.handle(List.of(Received.of(SOURCE, Require.nonNull("message", message))));
    } catch (ReceiveFailedException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
