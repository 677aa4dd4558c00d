// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.jta.JtaTransactionManager;

/**
 * Refuses the start of an application whose transactions are all JTA's: no message could be
 * appended.
 */
final class Jta implements SmartInitializingSingleton {

  /** What an application does instead. */
  static final String REMEDY =
      "JTA is not supported: the outbox is what replaces a transaction over several resources. Use"
          + " the data source without XA, with a JdbcTransactionManager, or a JpaTransactionManager"
          + " where there are entities. A JtaTransactionManager may stay beside it for what"
          + " Outledger has no part in";

  private final ListableBeanFactory beans;

  Jta(ListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public void afterSingletonsInstantiated() {
    Map<String, PlatformTransactionManager> all =
        new TreeMap<>(beans.getBeansOfType(PlatformTransactionManager.class, false, false));
    if (!all.isEmpty() && all.values().stream().allMatch(Jta::isOne)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the only transaction manager is one of JTA: " + all.keySet() + ". " + REMEDY);
    }
  }

  static boolean isOne(PlatformTransactionManager manager) {
    return manager instanceof JtaTransactionManager;
  }
}
