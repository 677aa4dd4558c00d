// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.spring.SpringTransactions;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ClassUtils;

/**
 * Finds the transaction manager of the ledger's data source, for handlers and inboxes. A manager
 * that does not tell its data source proves by a transaction that it is one: else every message
 * would fail in it.
 */
final class LedgerTransactions {

  private static final boolean HAS_JPA = // spring-orm may be there without JPA
      isPresent("org.springframework.orm.jpa.JpaTransactionManager")
          && isPresent("jakarta.persistence.EntityManagerFactory");

  private LedgerTransactions() {}

  /**
   * Returns the one that is named, else the only or primary one if it is known to be of the
   * ledger's data source, else the only one that is known to be, else the primary or only one that
   * proves to be.
   *
   * @param name the bean's name; null where none was configured
   * @throws ConfigurationException {@code OUT-021} where there is none of that name, where it is
   *     one of another data source, or where nothing says which
   */
  static PlatformTransactionManager manager(
      ListableBeanFactory beans, SpringTransactions ledger, @Nullable String name) {
    Map<String, PlatformTransactionManager> all =
        new TreeMap<>(beans.getBeansOfType(PlatformTransactionManager.class));
    if (name != null) {
      return named(all, ledger, name);
    }
    PlatformTransactionManager only =
        beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
    if (only != null && dataSource(only).map(ledger::isOf).orElse(false)) {
      return only;
    }
    all.values().removeIf(Jta::isOne);
    Map<String, PlatformTransactionManager> fitting = new TreeMap<>(all);
    fitting.values().removeIf(each -> !dataSource(each).map(ledger::isOf).orElse(false));
    Map<String, String> problems = new TreeMap<>();
    if (fitting.isEmpty()) {
      fitting.putAll(proven(all, ledger, problems));
    }
    if (fitting.size() == 1) {
      return fitting.values().iterator().next();
    }
    if (only != null && fitting.containsValue(only)) {
      return only;
    }
    throw refused(
        "methods with @OutboxHandler or @Inboxed, and what Spring Modulith submits again, need the"
            + " transaction manager of the outbox's data source, and "
            + unclear(all, fitting, problems));
  }

  private static String unclear(
      Map<String, PlatformTransactionManager> all,
      Map<String, PlatformTransactionManager> fitting,
      Map<String, String> problems) {
    if (all.isEmpty()) {
      return "there is no transaction manager at all. Declare a JdbcTransactionManager bean, or do"
          + " not exclude DataSourceTransactionManagerAutoConfiguration, which makes one";
    }
    if (fitting.isEmpty()) {
      String why = problems.isEmpty() ? "" : " (" + String.join("; ", problems.values()) + ")";
      return "none of "
          + all.keySet()
          + " is it"
          + why
          + ". Declare a JdbcTransactionManager bean for it, or a JpaTransactionManager where there"
          + " are entities";
    }
    return "there are several, "
        + fitting.keySet()
        + ", none of them primary. Set outledger.transaction-manager to the name of its bean";
  }

  /** Returns those that do not tell their data source and prove to be of the ledger's. */
  private static Map<String, PlatformTransactionManager> proven(
      Map<String, PlatformTransactionManager> all,
      SpringTransactions ledger,
      Map<String, String> problems) {
    Map<String, PlatformTransactionManager> proven = new TreeMap<>();
    all.forEach(
        (name, manager) -> {
          if (dataSource(manager).isEmpty()) {
            Optional.ofNullable(ofSomethingElse(manager))
                .or(() -> unproven(manager, ledger))
                .ifPresentOrElse(
                    why -> problems.put(name, name + " " + why), () -> proven.put(name, manager));
          }
        });
    return proven;
  }

  /**
   * Says what a manager has transactions of, where it tells that, and it is no database. To begin
   * one of a broker may take minutes, when that is away. Null where it may be a database.
   */
  private static @Nullable String ofSomethingElse(PlatformTransactionManager manager) {
    if (!(manager instanceof ResourceTransactionManager of)) {
      return null;
    }
    Object resource = of.getResourceFactory();
    return resource instanceof DataSource || (HAS_JPA && Jpa.isOne(resource))
        ? null
        : "has transactions of " + resource.getClass().getName();
  }

  /** Says why a manager's transactions are not the ledger's; empty where one was. */
  private static Optional<String> unproven(
      PlatformTransactionManager manager, SpringTransactions ledger) {
    try {
      TransactionStatus begun =
          manager.getTransaction(
              new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
      boolean isOfTheLedger = ledger.isRunning();
      manager.rollback(begun);
      return isOfTheLedger
          ? Optional.empty()
          : Optional.of(
              "begins no transaction of the outbox's data source that Outledger hears of");
    } catch (RuntimeException e) {
      return Optional.of("cannot begin a transaction and roll it back: " + e.getMessage());
    }
  }

  private static PlatformTransactionManager named(
      Map<String, PlatformTransactionManager> all, SpringTransactions ledger, String name) {
    PlatformTransactionManager found = all.get(name);
    if (found == null) {
      throw refused(
          "outledger.transaction-manager is "
              + name
              + ", and no transaction manager has that name. There are "
              + all.keySet());
    }
    if (Jta.isOne(found)) {
      throw refused(
          "outledger.transaction-manager is " + name + ", which is one of JTA. " + Jta.REMEDY);
    }
    Optional<DataSource> its = dataSource(found);
    if (its.isEmpty()) {
      unproven(found, ledger)
          .ifPresent(
              why -> {
                throw refused("outledger.transaction-manager is " + name + ", which " + why);
              });
    } else if (!ledger.isOf(its.get())) {
      throw refused(
          "outledger.transaction-manager is "
              + name
              + ", which is one of another data source than the outbox's. Name that of the data"
              + " source that outledger.data-source names, or the primary one");
    }
    return found;
  }

  /** Returns a manager's data source; empty where it does not tell, such as one of another make. */
  private static Optional<DataSource> dataSource(PlatformTransactionManager manager) {
    if (manager instanceof DataSourceTransactionManager jdbc) {
      return Optional.ofNullable(jdbc.getDataSource());
    }
    return HAS_JPA ? Jpa.dataSource(manager) : Optional.empty();
  }

  private static boolean isPresent(String type) {
    return ClassUtils.isPresent(type, LedgerTransactions.class.getClassLoader());
  }

  /** Loaded only where JPA and its manager are on the class path. */
  private static final class Jpa {

    private static Optional<DataSource> dataSource(PlatformTransactionManager manager) {
      return manager instanceof JpaTransactionManager jpa
          ? Optional.ofNullable(jpa.getDataSource())
          : Optional.empty();
    }

    private static boolean isOne(Object resource) {
      return resource instanceof EntityManagerFactory;
    }
  }

  private static ConfigurationException refused(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
