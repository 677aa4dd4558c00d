// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.spring.Inboxed;
import io.outledger.spring.InboxedInterceptor;
import java.util.Arrays;
import java.util.Optional;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Whether the calls of a bean with {@link Inboxed} methods go through its inbox. */
final class InboxedProxy {

  private InboxedProxy() {}

  /**
   * Says why a bean's calls do not. One that is made later is wrapped then: by that time everything
   * is there that wraps it.
   */
  static Optional<String> problem(ConfigurableListableBeanFactory beans, String name) {
    if (!beans.containsSingleton(name) || isWrapped(beans.getBean(name))) {
      return Optional.empty();
    }
    return Optional.of(
        "the bean "
            + name
            + " has no proxy, so @Inboxed would do nothing: the bean was made before Spring could"
            + " wrap it, because a BeanPostProcessor or a BeanFactoryPostProcessor needs it. Let"
            + " that one ask for it later, by an ObjectProvider or @Lazy, or do its work in another"
            + " bean");
  }

  private static boolean isWrapped(Object bean) {
    if (bean instanceof ScopedObject) {
      return true; // what it stands for is made later
    }
    if (bean instanceof Advised advised) {
      Object target = AopProxyUtils.getSingletonTarget(bean);
      return Arrays.stream(advised.getAdvisors())
              .anyMatch(each -> each.getAdvice() instanceof InboxedInterceptor)
          || (target != null && isWrapped(target));
    }
    return AopUtils.isAopProxy(bean); // one that does not tell what it does
  }
}
