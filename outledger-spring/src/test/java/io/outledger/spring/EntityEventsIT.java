// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What entities raise, where Spring runs without Boot. */
class EntityEventsIT {

  private final OnHibernate hibernate =
      new OnHibernate("CREATE TABLE account (id text PRIMARY KEY, cents int)");

  @BeforeEach
  void install() {
    SpringOutbox outbox = hibernate.outbox();
    EntityManagerFactory entityManagerFactory = hibernate.entityManagerFactory();
    SpringTransactions transactions = hibernate.transactions();
    // As the documentation shows it.
    EntityEvents events = new EntityEvents(outbox);
    events.install(entityManagerFactory, listeners -> {});
    transactions.beforeAppend(events);
  }

  @AfterEach
  void stop() {
    hibernate.close();
  }

  @Test
  void theyAreAppendedWithWhatIsAppendedByHandInTheOrderOfBoth() {
    hibernate.inTransaction(
        () -> {
          Account account = new Account("a");
          hibernate.entities().persist(account);
          account.pay(1);
          hibernate
              .outbox()
              .append(Message.to("accounts", "account.audited").key("by hand").build());
          account.pay(2);
        });
    assertThat(hibernate.keys()).containsExactly("a 1", "by hand", "a 3");
  }

  @Test
  void theyGoWithTheirTransaction() {
    assertThatThrownBy(
            () ->
                hibernate.inTransaction(
                    () -> {
                      Account account = new Account("a");
                      account.pay(1);
                      hibernate.entities().persist(account);
                      hibernate.entities().flush();
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");
    assertThat(hibernate.keys()).isEmpty();
  }
}
