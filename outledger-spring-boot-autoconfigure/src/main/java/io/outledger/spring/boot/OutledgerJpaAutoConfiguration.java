// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jpa.DomainEventCapture;
import io.outledger.spring.EntityEvents;
import io.outledger.spring.SpringOutbox;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.orm.jpa.EntityManagerHolder;

/**
 * Appends the domain events of JPA entities, where the application has Hibernate: they are in the
 * ledger when the entities' changes are.
 */
@AutoConfiguration(after = OutledgerAutoConfiguration.class)
@ConditionalOnProperty(prefix = "outledger.jpa", name = "enabled", matchIfMissing = true)
@ConditionalOnClass(
    value = {DomainEventCapture.class, EntityManagerFactory.class, EntityManagerHolder.class},
    name = "org.hibernate.engine.spi.SessionImplementor")
@ConditionalOnBean(SpringOutbox.class)
public class OutledgerJpaAutoConfiguration {

  /** Creates it. */
  public OutledgerJpaAutoConfiguration() {}

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static EntityEvents outledgerEntityEvents(ObjectProvider<SpringOutbox> outbox) {
    return new EntityEvents(outbox::getObject);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static JpaCapture outledgerJpaCapture(
      ConfigurableListableBeanFactory beans, ObjectProvider<EntityEvents> events) {
    return new JpaCapture(beans, events);
  }
}
