// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Receives events from a broker. The event's class is that of the method's first parameter; an
 * {@code EventContext} may follow.
 *
 * <pre>{@code
 * @InboxListener("billing")
 * void bill(OrderPlaced order) { … }
 * }</pre>
 *
 * <p>The method runs in a Spring transaction of its own that also remembers the message, so what it
 * does in the database takes effect once, however often the broker delivers the message. If it
 * throws, its transaction is rolled back; the message is parked in the database with its key, later
 * messages of that key wait behind it, and it is tried again until it is a dead letter. Messages of
 * one key are handled one at a time and in order. While the database is away nothing is parked and
 * no attempt counts: receiving pauses. A message that the code of this instance cannot read is
 * tried again as well: in a roll-out another one may. Another {@code InvalidMessageException} makes
 * the message a dead letter at once.
 *
 * <p>Where the messages come from is said by {@code outledger.receivers.<consumer>.*}, or by a bean
 * of type {@code BrokerReceiver} with the consumer's name, such as a {@code KafkaReceiver}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface InboxListener {

  /**
   * The consumer's name, which must never change: under it messages are remembered and parked.
   * Methods with the same name, each for another event, share one receiver.
   */
  String value();
}
