// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/**
 * Methods that return before their work is done. A transaction around such a call would end too
 * early: it would remember a message whose work is still to come, or to fail.
 */
public final class LaterWork {

  /** Types of libraries that may be absent; their subtypes do as they do. */
  private static final Set<String> NAMES =
      Set.of(
          "org.reactivestreams.Publisher",
          "kotlinx.coroutines.flow.Flow",
          "kotlinx.coroutines.Deferred",
          "org.springframework.web.context.request.async.DeferredResult",
          "org.springframework.web.context.request.async.WebAsyncTask",
          "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
          "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

  private LaterWork() {}

  /** Returns whether a method returns before its work is done, as far as its signature tells. */
  public static boolean isDoneBy(Method method) {
    return isPromise(method.getReturnType())
        || isSuspending(method)
        || AnnotatedElementUtils.hasAnnotation(method, Async.class)
        || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Async.class);
  }

  /** Kotlin's compiler adds a parameter for what comes afterwards. */
  private static boolean isSuspending(Method method) {
    int count = method.getParameterCount();
    return count > 0
        && method.getParameterTypes()[count - 1].getName().equals("kotlin.coroutines.Continuation");
  }

  private static boolean isPromise(Class<?> type) {
    if (Future.class.isAssignableFrom(type)
        || CompletionStage.class.isAssignableFrom(type)
        || Callable.class.isAssignableFrom(type)
        || Flow.Publisher.class.isAssignableFrom(type)) {
      return true;
    }
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      if (NAMES.contains(each.getName())) {
        return true;
      }
    }
    return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
        .anyMatch(each -> NAMES.contains(each.getName()));
  }
}
