// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Problems;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.annotation.JmsListeners;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Those of Spring JMS. One that polls acknowledges a message before the method is called, unless
 * its session is transacted, as Boot makes it, or a transaction manager's, or the listener's
 * success acknowledges. How often the broker delivers again is the broker's.
 */
final class JmsContainers implements ForeignContainers {

  /** Nobody but the container itself may ask it for its manager. */
  private static final String MANAGER = "transactionManager";

  private final ObjectProvider<JmsListenerEndpointRegistry> containers;

  JmsContainers(ObjectProvider<JmsListenerEndpointRegistry> containers) {
    this.containers = containers;
  }

  @Override
  public boolean mayCall(Method method) {
    return Arrays.stream(method.getParameterTypes()).anyMatch(Message.class::isAssignableFrom)
        || AnnotatedElementUtils.hasAnnotation(method, JmsListener.class)
        || AnnotatedElementUtils.hasAnnotation(method, JmsListeners.class);
  }

  @Override
  public void check(List<Called> methods, Problems problems) {
    JmsListenerEndpointRegistry registry = containers.getIfAvailable();
    if (registry == null) {
      return;
    }
    for (String id : registry.getListenerContainerIds()) {
      if (registry.getListenerContainer(id) instanceof DefaultMessageListenerContainer container
          && !container.isSessionTransacted()
          && !receivesInATransaction(container)
          && isAcknowledgedBefore(container.getSessionAcknowledgeMode())) {
        problems.add(
            "the JMS container "
                + id
                + " acknowledges a message before its method is called, while @Inboxed is on "
                + methods
                + ". Leave out spring.jms.listener.session.transacted and"
                + " spring.jms.listener.session.acknowledge-mode, or set the first to true; or"
                + " receive by @InboxListener");
      }
    }
  }

  /** Returns whether the session, or a transaction of several resources, is the manager's. */
  private static boolean receivesInATransaction(DefaultMessageListenerContainer container) {
    DirectFieldAccessor fields = new DirectFieldAccessor(container);
    if (!fields.isReadableProperty(MANAGER)) {
      return false;
    }
    Object manager = fields.getPropertyValue(MANAGER);
    return manager instanceof JmsTransactionManager
        || (manager instanceof PlatformTransactionManager other && Jta.isOne(other));
  }

  private static boolean isAcknowledgedBefore(int mode) {
    return mode == Session.AUTO_ACKNOWLEDGE || mode == Session.DUPS_OK_ACKNOWLEDGE;
  }
}
