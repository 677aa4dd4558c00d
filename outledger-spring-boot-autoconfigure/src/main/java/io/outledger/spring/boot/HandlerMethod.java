// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jdbc.EventContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/** A method with {@link OutboxHandler}, and the bean that it belongs to. */
final class HandlerMethod {

  private final Method method;
  private final OutboxHandler said;
  private final Supplier<Object> bean;

  HandlerMethod(Method method, OutboxHandler said, Supplier<Object> bean) {
    this.method = method;
    this.said = said;
    this.bean = bean;
  }

  OutboxHandler said() {
    return said;
  }

  /** Returns the class of the events that it takes. */
  Class<?> eventClass() {
    return method.getParameterTypes()[0];
  }

  /** Says what is wrong with the method's signature; empty where it can be called. */
  Optional<String> problem() {
    Class<?>[] parameters = method.getParameterTypes();
    boolean good =
        parameters.length == 1 || (parameters.length == 2 && parameters[1] == EventContext.class);
    return good && parameters[0] != EventContext.class && method.getReturnType() == void.class
        ? Optional.empty()
        : Optional.of(
            this
                + " takes "
                + Arrays.stream(parameters).map(Class::getSimpleName).toList()
                + " and returns "
                + method.getReturnType().getSimpleName()
                + ". A handler takes an event, or an event and an EventContext, and returns"
                + " nothing: void on(OrderPlaced order)");
  }

  /** Calls the method. */
  void call(Object event, EventContext context) throws Exception {
    Object target = bean.get();
    Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
    ReflectionUtils.makeAccessible(invocable);
    Object[] arguments =
        invocable.getParameterCount() == 1 ? new Object[] {event} : new Object[] {event, context};
    try {
      invocable.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getTargetException();
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (Exception) thrown;
    }
  }

  @Override
  public String toString() {
    return method.getDeclaringClass().getName() + "." + method.getName();
  }
}
