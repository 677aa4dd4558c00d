// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Given;
import io.outledger.InvalidMessageException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Runs methods with {@link Inboxed} through an inbox. Thread-safe. */
public final class InboxedInterceptor implements MethodInterceptor {

  private final Supplier<SpringInbox> inbox;
  private final SpelExpressionParser parser = new SpelExpressionParser();
  private final DefaultParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
  private final Map<String, Expression> expressions = new ConcurrentHashMap<>();
  private final Set<Method> checked = ConcurrentHashMap.newKeySet();

  /**
   * Creates it.
   *
   * @param inbox asked at each call, so that no bean is made before it is needed
   */
  public InboxedInterceptor(Supplier<SpringInbox> inbox) {
    this.inbox = Given.check("inbox", inbox);
  }

  /**
   * Calls the method unless its message was processed before.
   *
   * @throws ConfigurationException {@code OUT-021} where the method cannot take effect once; see
   *     {@link InboxedMethod#problem}
   */
  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = Objects.requireNonNull(invocation.getThis());
    Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), target.getClass());
    Inboxed annotation = AnnotatedElementUtils.findMergedAnnotation(method, Inboxed.class);
    if (annotation == null) {
      return invocation.proceed();
    }
    if (!checked.contains(method)) {
      InboxedMethod.problem(method).ifPresent(InboxedInterceptor::refuse);
      checked.add(method);
    }
    Object[] result = new Object[1];
    inbox
        .get()
        .process(
            annotation.consumer(),
            annotation.source(),
            id(annotation, target, method, invocation.getArguments()),
            () -> result[0] = proceed(invocation));
    return result[0];
  }

  private static void refuse(String problem) {
    throw new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, problem);
  }

  private String id(Inboxed annotation, Object target, Method method, Object[] arguments) {
    Object id =
        expressions
            .computeIfAbsent(annotation.id(), parser::parseExpression)
            .getValue(new MethodBasedEvaluationContext(target, method, arguments, names));
    if (id == null) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "the message for "
              + method.getDeclaringClass().getName()
              + "."
              + method.getName()
              + " has no id: "
              + annotation.id()
              + " is null. Send it with one");
    }
    return id instanceof byte[] bytes ? new String(bytes, UTF_8) : id.toString();
  }

  private static @Nullable Object proceed(MethodInvocation invocation) throws Exception {
    try {
      return invocation.proceed();
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
