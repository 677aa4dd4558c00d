// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Registers a class as an event type. Annotated classes are looked for at the start, in the
 * application's packages or in {@code outledger.events.packages}.
 *
 * <pre>{@code
 * @OutboxEvent(name = "order.placed", topic = "orders", key = "orderId")
 * record OrderPlaced(String orderId, int cents) {}
 * }</pre>
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface OutboxEvent {

  /**
   * The logical name, such as {@code order.placed}; never a class name. A name that changes stays
   * in {@link #formerly}.
   */
  String name();

  /**
   * Names that the type had before, in the same version: a message that carries one is read as this
   * class, and goes to its handlers. Keep a former name until no such message can arrive any more.
   */
  String[] formerly() default {};

  /** The version, 1 or more. */
  int version() default 1;

  /** The topic; may contain placeholders, such as {@code ${orders.topic}}. */
  String topic();

  /**
   * The property whose text is the ordering key, usually the aggregate's id: a record's component,
   * or a method {@code orderId()} or {@code getOrderId()}. One of this and {@link #keyless} is
   * needed.
   */
  String key() default "";

  /** Whether these events have no key, and so no order among each other. */
  boolean keyless() default false;
}
