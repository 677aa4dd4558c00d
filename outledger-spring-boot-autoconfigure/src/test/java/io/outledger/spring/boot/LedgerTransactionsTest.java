// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.spring.SpringTransactions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.ResourceTransactionManager;

/** Which transaction managers are asked to prove that they are the ledger's. */
class LedgerTransactionsTest {

  /** As that of Kafka, whose first transaction waits for a minute where Kafka is away. */
  private static final class OfABroker implements ResourceTransactionManager {

    @Override
    public Object getResourceFactory() {
      return "makes producers";
    }

    @Override
    public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
      throw new IllegalStateException("was asked");
    }

    @Override
    public void commit(TransactionStatus status) {}

    @Override
    public void rollback(TransactionStatus status) {}
  }

  @Test
  void oneThatTellsThatItIsOfNoDatabaseBeginsNothing() {
    assertThatThrownBy(
            () ->
                LedgerTransactions.manager(
                    BrokersOf.properties().bean("kafka", new OfABroker()).beans(),
                    new SpringTransactions(new DriverManagerDataSource("jdbc:nowhere")),
                    null))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("kafka has transactions of java.lang.String")
        .message()
        .doesNotContain("was asked");
  }
}
