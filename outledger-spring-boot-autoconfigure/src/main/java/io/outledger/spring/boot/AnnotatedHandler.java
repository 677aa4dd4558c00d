// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.lang.annotation.Annotation;

/**
 * A method that handles events, and what its annotation says.
 *
 * @param <A> the annotation: {@link OutboxHandler} or {@link InboxListener}
 */
record AnnotatedHandler<A extends Annotation>(HandlerMethod method, A said) {

  /** Returns the class of the events that it takes. */
  Class<?> eventClass() {
    return method.eventClass();
  }

  @Override
  public String toString() {
    return method.toString();
  }
}
