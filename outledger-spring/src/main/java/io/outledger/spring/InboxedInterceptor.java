// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Require;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import java.lang.reflect.Method;
import java.util.HashSet;
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
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Runs methods with {@link Inboxed} through an inbox. Thread-safe. */
public final class InboxedInterceptor implements MethodInterceptor {

  private final Supplier<SpringInbox> inbox;
  private final Iterable<? extends MessageIdentity> identities;
  private final SpelExpressionParser parser = new SpelExpressionParser();
  private final DefaultParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
  private final Map<String, Expression> expressions = new ConcurrentHashMap<>();
  private final Set<Method> checked = ConcurrentHashMap.newKeySet();

  // A bean with two proxies, and a method that hands its message on to another one, come here again
  // with a message that is being processed: that is no duplicate.
  private final ThreadLocal<Set<Call>> running = ThreadLocal.withInitial(HashSet::new);

  private record Call(String consumer, InboxId message) {}

  /**
   * Creates it.
   *
   * @param inbox asked at each call, so that no bean is made before it is needed
   * @param identities of messages that tell their identity themselves; asked at each call, too
   */
  public InboxedInterceptor(
      Supplier<SpringInbox> inbox, Iterable<? extends MessageIdentity> identities) {
    this.inbox = Require.nonNull("inbox", inbox);
    this.identities = Require.nonNull("identities", identities);
  }

  /**
   * Calls the method unless its message was processed before. A call within the processing of the
   * same message goes through: the outer call's row covers it.
   *
   * @throws ConfigurationException {@code OUT-021} where the method cannot take effect once; see
   *     {@link InboxedMethod#problem}
   */
  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = Objects.requireNonNull(invocation.getThis());
    Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), target.getClass());
    Inboxed said = AnnotatedElementUtils.findMergedAnnotation(method, Inboxed.class);
    if (said == null) {
      return invocation.proceed();
    }
    if (!checked.contains(method)) {
      InboxedMethod.problem(method, identities).ifPresent(InboxedInterceptor::refuse);
      checked.add(method);
    }
    Received message = message(said, method, invocation.getArguments());
    InboxId id =
        message == null
            ? new InboxId(said.source(), id(said, target, method, invocation.getArguments()))
            : message.inboxId();
    Call call = new Call(said.consumer(), id);
    Set<Call> mine = running.get();
    if (!mine.add(call)) {
      return invocation.proceed(); // the row of the outer call covers it
    }
    try {
      return once(call, message, invocation);
    } finally {
      mine.remove(call);
      if (mine.isEmpty()) {
        running.remove();
      }
    }
  }

  private @Nullable Object once(Call call, @Nullable Received message, MethodInvocation invocation)
      throws Exception {
    Object[] result = new Object[1];
    Inbox.Work<Exception> work = () -> result[0] = proceed(invocation);
    if (message == null) {
      inbox.get().process(call.consumer(), call.message().source(), call.message().id(), work);
    } else {
      inbox.get().process(call.consumer(), message, work);
    }
    return result[0];
  }

  /** Returns the message that a parameter brings; null where the annotation says the identity. */
  private @Nullable Received message(Inboxed said, Method method, Object[] arguments) {
    if (!said.id().isBlank()) {
      return null;
    }
    int place = InboxedMethod.message(method, identities);
    Class<?> type = method.getParameterTypes()[place];
    return MessageIdentity.among(identities, type).orElseThrow().of(arguments[place]);
  }

  private static void refuse(String problem) {
    throw new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, problem);
  }

  private String id(Inboxed said, Object target, Method method, Object[] arguments) {
    Expression expression = expressions.computeIfAbsent(said.id(), parser::parseExpression);
    Object id;
    try {
      id = expression.getValue(new MethodBasedEvaluationContext(target, method, arguments, names));
    } catch (EvaluationException e) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE, withoutId(method, said.id() + " fails: " + e.getMessage()), e);
    }
    if (id == null) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE, withoutId(method, said.id() + " is null"));
    }
    if (id instanceof byte[] bytes) {
      return new String(bytes, UTF_8);
    }
    if (PlainText.isMissingIn(id.getClass())) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          said.id()
              + " of "
              + method.getDeclaringClass().getName()
              + "."
              + method.getName()
              + " is of "
              + id.getClass().getTypeName()
              + ", which cannot be an id: "
              + PlainText.REMEDY);
    }
    return id.toString();
  }

  private static String withoutId(Method method, String why) {
    return "the message for "
        + method.getDeclaringClass().getName()
        + "."
        + method.getName()
        + " has no id: "
        + why
        + ". Send it with one. In the expression, #p0 is the first parameter; its own name is known"
        + " only if the class was compiled with -parameters";
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
