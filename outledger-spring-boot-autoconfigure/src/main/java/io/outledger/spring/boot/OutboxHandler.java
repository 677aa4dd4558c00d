// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Handles events of this ledger inside the application. The event's class is that of the method's
 * first parameter; an {@code EventContext} may follow.
 *
 * <pre>{@code
 * @OutboxHandler("mail")
 * void queueMail(OrderPlaced order) { … }
 * }</pre>
 *
 * <p>The method runs in a Spring transaction of its own that also remembers the message, so what it
 * does in the database takes effect once. If it throws, its transaction is rolled back, and the
 * message is tried again for this handler alone; later messages of its key wait. Messages of one
 * key are handled one at a time and in order. An {@code InvalidMessageException} makes the message
 * a dead letter at once.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OutboxHandler {

  /** The subscription of handlers that name no other. */
  String SUBSCRIPTION = "handlers";

  /**
   * The handler's name, which must never change: under it messages are remembered and parked.
   * Methods with the same name, each for another event, are one handler.
   */
  String value();

  /**
   * The subscription that the handler belongs to. Handlers that take minutes, or need another retry
   * policy, get one of their own, set by {@code outledger.subscriptions.<name>.*}.
   */
  String subscription() default SUBSCRIPTION;

  /**
   * How many messages the handler works on at a time; 0 for {@code outledger.handlers.concurrency}.
   */
  int concurrency() default 0;
}
