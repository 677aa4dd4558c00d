// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jpa.DomainEventListener;
import io.outledger.jpa.DomainEventListeners;
import io.outledger.spring.EntityEvents;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * Captures the domain events of every entity manager factory as soon as there is one, so that not
 * even work of the start is missed. Beans of type {@link DomainEventListener} hear them.
 */
final class JpaCapture implements BeanPostProcessor {

  private final ConfigurableListableBeanFactory beans;
  private final ObjectProvider<EntityEvents> events;

  JpaCapture(ConfigurableListableBeanFactory beans, ObjectProvider<EntityEvents> events) {
    this.beans = beans;
    this.events = events;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof EntityManagerFactory factory) {
      events.getObject().install(factory, this::addListeners);
    }
    return bean;
  }

  // A listener may need a repository, which needs the factory: it is made when it is told
  // something.
  private void addListeners(DomainEventListeners listeners) {
    for (String name : beans.getBeanNamesForType(DomainEventListener.class, true, false)) {
      Class<?> heard = type(name).as(DomainEventListener.class).getGeneric().resolve(Object.class);
      listeners.on(heard, (event, entities) -> tell(name, event, entities));
    }
  }

  // A definition knows the type parameters that a lambda's class does not have.
  private ResolvableType type(String name) {
    return beans.containsBeanDefinition(name)
        ? beans.getMergedBeanDefinition(name).getResolvableType()
        : ResolvableType.forClass(beans.getType(name));
  }

  @SuppressWarnings("unchecked") // the bean's own type says what it hears
  private void tell(String name, Object event, EntityManager entities) throws Exception {
    beans.getBean(name, DomainEventListener.class).handle(event, entities);
  }
}
