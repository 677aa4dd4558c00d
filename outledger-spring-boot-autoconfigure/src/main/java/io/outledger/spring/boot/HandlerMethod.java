// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jdbc.EventContext;
import io.outledger.spring.LaterWork;
import io.outledger.spring.OtherTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/** A method that handles events, and the bean that it belongs to. */
final class HandlerMethod {

  private static final Set<String> NO_SINGLETON =
      Set.of("prototype", "request", "session", "websocket");

  private final Method method;
  private final Supplier<Object> bean;
  private final String scope;

  HandlerMethod(Method method, Supplier<Object> bean, String scope) {
    this.method = method;
    this.bean = bean;
    this.scope = scope;
  }

  /** Returns the class of the events that it takes. */
  Class<?> eventClass() {
    return method.getParameterTypes()[0];
  }

  /** Says why the method cannot be used; empty where it can be called. */
  Optional<String> problem() {
    if (LaterWork.isDoneBy(method)) {
      return Optional.of(
          this
              + " returns before its work is done: a handler must not be @Async, nor return a Mono,"
              + " a Flux, a CompletableFuture or the like. Wait for the result, and return"
              + " nothing");
    }
    if (OtherTransaction.isUsedBy(method)) {
      return Optional.of(
          this
              + " leaves the transaction that remembers its message, by REQUIRES_NEW, NOT_SUPPORTED"
              + " or NEVER, so a crash between the two would have it take effect twice. Each"
              + " handler has a transaction of its own already: remove the propagation");
    }
    Class<?>[] parameters = method.getParameterTypes();
    boolean good =
        parameters.length == 1 || (parameters.length == 2 && parameters[1] == EventContext.class);
    if (!good || parameters[0] == EventContext.class || method.getReturnType() != void.class) {
      return Optional.of(
          this
              + " takes "
              + Arrays.stream(parameters).map(Class::getSimpleName).toList()
              + " and returns "
              + method.getReturnType().getSimpleName()
              + ". A handler takes an event, or an event and an EventContext, and returns"
              + " nothing: void on(OrderPlaced order)");
    }
    return NO_SINGLETON.contains(scope) ? Optional.of(outOfScope()) : hiddenByProxy();
  }

  private String outOfScope() {
    return this
        + " belongs to a bean with the scope "
        + scope
        + ". Handlers are called again and again, and outside of any request: make the"
        + " bean a singleton, and let it ask an ObjectProvider for what has another scope";
  }

  private Optional<String> hiddenByProxy() {
    Object target = bean.get();
    try {
      Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
      if (!AopUtils.isCglibProxy(target) || !Modifier.isFinal(invocable.getModifiers())) {
        return Optional.empty();
      }
    } catch (IllegalStateException e) {
      // said below
    }
    return Optional.of(
        this
            + " cannot be called through the proxy that Spring has put around its bean, because it"
            + " is private or final, or not one of the interfaces that the proxy has. Make it"
            + " public and not final, and let the proxy be one of the class");
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
