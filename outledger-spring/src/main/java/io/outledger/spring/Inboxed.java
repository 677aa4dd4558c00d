// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method take effect once for each message, however often it is called: a listener of
 * Kafka, RabbitMQ or JMS, or the handler of a request with an idempotency key. It runs in a
 * transaction with its inbox row and with what it appends. A call for a message that was processed
 * before does not run the method, and returns null.
 *
 * <pre>{@code
 * @KafkaListener(topics = "orders")
 * @Inboxed(consumer = "billing")
 * void bill(ConsumerRecord<String, byte[]> record) { … }
 *
 * @PostMapping("/payments")
 * @Inboxed(consumer = "payments", source = "api", id = "#key")
 * void pay(@RequestHeader("Idempotency-Key") String key, @RequestBody Payment payment) { … }
 * }</pre>
 *
 * <p>Like {@code @Transactional}, it works through Spring's proxies: on a method of a bean that is
 * called from outside of the bean. Its work must be done when it returns: a method that is
 * {@code @Async}, that returns a {@code Mono} or {@code CompletableFuture}, or a primitive, which
 * cannot be null, is refused with {@code OUT-021}, by the starters when the application starts. An
 * effect outside the database, such as a mail, cannot be undone.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Inboxed {

  /** The consumer's name, which must never change, and which no other service may use. */
  String consumer();

  /** Who sends the messages; with the id their identity. Left out together with the id. */
  String source() default "";

  /**
   * A SpEL expression for the message's id. It sees the parameters by their names, if the class was
   * compiled with {@code -parameters}, and as {@code #p0}, {@code #p1} and so on. Its result is a
   * text, bytes of UTF-8, or something whose text is the id.
   *
   * <p>Without it and a source, the method must take a Kafka {@code ConsumerRecord}. The message is
   * then remembered as {@code KafkaReceiver} remembers it, by its topic and the CloudEvents headers
   * {@code ce_source} and {@code ce_id}: a consumer may change from one to the other.
   */
  String id() default "";
}
