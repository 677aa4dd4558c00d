// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jdbc.Outledger;
import io.outledger.jpa.DomainEventCapture;
import io.outledger.spring.BeforeAppend;
import io.outledger.spring.SpringOutbox;
import io.outledger.spring.SpringTransactions;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Captures the domain events of every entity manager factory as soon as there is one, so that not
 * even work of the start is missed, and appends them to the application's outbox. Thread-safe.
 */
final class JpaCapture implements BeanPostProcessor, BeforeAppend {

  private final ObjectProvider<Outledger> outledger;
  private final ObjectProvider<SpringTransactions> transactions;
  private final ObjectProvider<SpringOutbox> outbox;

  // By Hibernate's factory, which may be several beans, and by bean, as transactions know it.
  private final Map<EntityManagerFactory, DomainEventCapture> installed = new ConcurrentHashMap<>();
  private final Map<EntityManagerFactory, DomainEventCapture> captures = new ConcurrentHashMap<>();

  JpaCapture(
      ObjectProvider<Outledger> outledger,
      ObjectProvider<SpringTransactions> transactions,
      ObjectProvider<SpringOutbox> outbox) {
    this.outledger = outledger;
    this.transactions = transactions;
    this.outbox = outbox;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof EntityManagerFactory factory) {
      captures.put(
          factory,
          installed.computeIfAbsent(
              hibernates(factory), each -> DomainEventCapture.install(each, this::append)));
    }
    return bean;
  }

  private static EntityManagerFactory hibernates(EntityManagerFactory factory) {
    return factory instanceof EntityManagerFactoryInfo info
        ? info.getNativeEntityManagerFactory()
        : factory;
  }

  /** Flushes and captures in each persistence context of the transaction. */
  @Override
  public void beforeAppend() {
    captures.forEach(
        (factory, capture) -> {
          if (TransactionSynchronizationManager.getResource(factory)
              instanceof EntityManagerHolder holder) {
            settle(capture, holder.getEntityManager());
          }
        });
  }

  private static void settle(DomainEventCapture capture, EntityManager entityManager) {
    if (entityManager.isJoinedToTransaction()) {
      capture.settle(entityManager);
    }
  }

  private List<UUID> append(Collection<?> events) {
    for (Object event : events) {
      if (isOurs(event)) {
        outbox.getObject().appendOnce(event);
      }
    }
    return List.of();
  }

  // An event of another data source's entity is none of ours, unless its type is registered: then
  // the outbox says why it cannot append it.
  private boolean isOurs(Object event) {
    return transactions.getObject().isRunning()
        || outledger.getObject().events().types().isRegistered(event.getClass());
  }
}
