// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.spring.BeforeAppend;
import io.outledger.spring.SpringTransactions;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.function.SingletonSupplier;

/**
 * Adds the application's {@link BeforeAppend} beans to the transactions that the starter works
 * with, whoever made these and the outbox. A step may need the outbox, so it is made when it is
 * called.
 */
final class StepsBeforeAppend implements BeanPostProcessor {

  private final ObjectProvider<SpringTransactions> transactions;
  private final ObjectProvider<BeforeAppend> steps;

  StepsBeforeAppend(
      ObjectProvider<SpringTransactions> transactions, ObjectProvider<BeforeAppend> steps) {
    this.transactions = transactions;
    this.steps = steps;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof SpringTransactions made) {
      made.beforeAppend(new Steps(SingletonSupplier.of(() -> of(made))));
    }
    return bean;
  }

  // Those of a second outbox have the steps that the application gives them.
  private List<BeforeAppend> of(SpringTransactions made) {
    return made == transactions.getIfUnique() ? steps.orderedStream().toList() : List.of();
  }

  private record Steps(Supplier<List<BeforeAppend>> all) implements BeforeAppend {

    @Override
    public void beforeAppend() {
      all.get().forEach(BeforeAppend::beforeAppend);
    }

    @Override
    public void atEachAppend() {
      all.get().forEach(BeforeAppend::atEachAppend);
    }

    @Override
    public Runnable atSavepoint() {
      List<Runnable> undo = all.get().stream().map(BeforeAppend::atSavepoint).toList();
      return () -> undo.forEach(Runnable::run);
    }
  }
}
