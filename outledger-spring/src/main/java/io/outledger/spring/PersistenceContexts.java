// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityTransaction;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Persistence contexts whose transaction was begun on this thread. There are none where JPA, or
 * Spring's support of it, is not on the class path.
 *
 * <p>Spring leaves those of an outer transaction bound to the thread while an inner one of another
 * data source runs. So what takes part in a transaction is {@linkplain #begun() what is begun} once
 * it is, {@linkplain #without without} what was begun before.
 */
final class PersistenceContexts {

  /** No contexts. */
  static final PersistenceContexts NONE = new PersistenceContexts(Set.of());

  private static final boolean HAS_JPA =
      isPresent("jakarta.persistence.EntityManager")
          && isPresent("org.springframework.orm.jpa.EntityManagerHolder");
  private static final boolean HAS_HIBERNATE = HAS_JPA && isPresent("org.hibernate.Session");

  /** Entity managers, which no signature here can name where JPA is not there; by identity. */
  private final Set<Object> managers;

  private PersistenceContexts(Set<Object> managers) {
    this.managers = managers;
  }

  private static boolean isPresent(String name) {
    return ClassUtils.isPresent(name, PersistenceContexts.class.getClassLoader());
  }

  /** Returns all that are bound to the thread, whichever of Spring's transactions they are of. */
  static PersistenceContexts begun() {
    return HAS_JPA ? new PersistenceContexts(Jpa.begun()) : NONE;
  }

  /** Returns these but for others. */
  PersistenceContexts without(PersistenceContexts others) {
    Set<Object> left = byIdentity();
    left.addAll(managers);
    left.removeAll(others.managers);
    return new PersistenceContexts(left);
  }

  boolean isEmpty() {
    return managers.isEmpty();
  }

  /** Returns whether an entity manager, as it is bound to the thread, is that of one of them. */
  boolean contain(Object entityManager) {
    return managers.contains(entityManager);
  }

  /**
   * Returns whether one of them is in Hibernate's flush mode {@code MANUAL}, in which an
   * application holds changes back until it flushes them itself: a flush by somebody else would
   * write what it may want to drop.
   */
  boolean areFlushedByTheApplicationAlone() {
    return HAS_HIBERNATE && managers.stream().anyMatch(Hibernate::isManual);
  }

  /** Returns whether the transaction of one of them is marked: it refuses to commit. */
  boolean areMarkedForRollback() {
    return HAS_JPA && managers.stream().anyMatch(Jpa::isMarked);
  }

  /** Rolls back those whose transaction is still open, and returns whether there were any. */
  boolean rollBack() {
    if (!HAS_JPA) {
      return false;
    }
    List<Object> open = managers.stream().filter(Jpa::isBegun).toList();
    open.forEach(Jpa::rollBack);
    return !open.isEmpty();
  }

  private static Set<Object> byIdentity() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  /** Loaded only where JPA and Spring's support of it are on the class path. */
  private static final class Jpa {

    static Set<Object> begun() {
      Set<Object> managers = byIdentity();
      for (Object each : TransactionSynchronizationManager.getResourceMap().values()) {
        if (each instanceof EntityManagerHolder holder && isBegun(holder.getEntityManager())) {
          managers.add(holder.getEntityManager());
        }
      }
      return managers;
    }

    // Not whether it has joined one: where it was bound before the transaction began, as for a web
    // request, Spring's proxy says that it has not.
    static boolean isBegun(Object manager) {
      EntityManager asked = (EntityManager) manager;
      try {
        return asked.isOpen() && asked.getTransaction().isActive();
      } catch (IllegalStateException e) {
        return false; // of JTA or of a container, which has no transaction of its own
      }
    }

    static boolean isMarked(Object manager) {
      return isBegun(manager) && transaction(manager).getRollbackOnly();
    }

    static void rollBack(Object manager) {
      transaction(manager).rollback();
    }

    private static EntityTransaction transaction(Object manager) {
      return ((EntityManager) manager).getTransaction();
    }
  }

  /** Loaded only where Hibernate is there, too. */
  private static final class Hibernate {

    static boolean isManual(Object manager) {
      return manager instanceof Session session
          && session.getHibernateFlushMode() == FlushMode.MANUAL;
    }
  }
}
