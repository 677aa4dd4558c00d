// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.spring.SpringTransactions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * Has every transaction manager tell of its transactions, whoever made it. Each {@link
 * SpringTransactions} finds out for itself which are of its data source.
 */
final class TransactionManagers implements BeanPostProcessor {

  private final ObjectProvider<SpringTransactions> transactions;

  TransactionManagers(ObjectProvider<SpringTransactions> transactions) {
    this.transactions = transactions;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof ConfigurableTransactionManager manager) {
      transactions.stream()
          .filter(each -> !manager.getTransactionExecutionListeners().contains(each))
          .forEach(manager::addListener);
    }
    return bean;
  }
}
