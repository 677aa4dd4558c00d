// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import io.outledger.servers.Await;
import io.outledger.store.Start;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Effects in another database, and outside of any, as the documents show them. */
class EffectsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Message ORDER = Message.to("orders", "order.placed").key("o-1").build();

  private final MovingDatabase orders;
  private final MovingDatabase billing;

  EffectsIT() throws SQLException {
    orders = new MovingDatabase("guide.sql");
    billing = new MovingDatabase("guide.sql");
  }

  @AfterEach
  void close() {
    orders.close();
    billing.close();
  }

  @Test
  void aMessageTakesEffectOnceInAnotherDatabaseThoughItIsHandedOverAgain() throws Exception {
    orders.outledger().outbox().inNewTransaction(ORDER);
    TwoDatabases.carry(orders.outledger(), billing.outledger(), new Audit());
    awaitInvoices(1);

    orders.outledger().subscriptions().move("to-billing", Start.EARLIEST);
    orders.outledger().outbox().inNewTransaction(ORDER.copy().build());
    Message paid = Message.to("orders", "order.paid").key("o-1").build();
    orders.outledger().outbox().inNewTransaction(paid);
    Await.until(
        "the last message has been carried over",
        PATIENCE,
        () -> invoices().contains("order.paid"));

    assertThat(invoices()).containsExactly("order.placed", "order.paid");
  }

  @Test
  void aPaymentThatFailedIsTriedAgainUnderTheSameReference() {
    List<String> references = new CopyOnWriteArrayList<>();
    Payments.charge(
        orders.outledger(),
        (reference, order) -> {
          references.add(reference);
          if (references.size() == 1) {
            throw new IOException("no answer");
          }
        });

    orders.outledger().outbox().inNewTransaction(ORDER);
    Await.until("the payment was tried again", PATIENCE, () -> references.size() > 1);

    assertThat(references).containsOnly(ORDER.id().toString());
  }

  @Test
  void aMessageOfABrokerThatTakesNoPartInTheTransactionIsADuplicateTheSecondTime()
      throws Exception {
    var inbox = orders.outledger().inbox("inventory");
    var received = Received.of("orders", ORDER);
    var order = new OrderPlaced("o-1", 1990);

    assertThat(LocalTransaction.receive(orders.outledger(), inbox, received, new Stock(), order))
        .isEqualTo(InboxOutcome.PROCESSED);
    assertThat(LocalTransaction.receive(orders.outledger(), inbox, received, new Stock(), order))
        .isEqualTo(InboxOutcome.DUPLICATE);
  }

  private void awaitInvoices(int number) {
    Await.until(number + " invoices", PATIENCE, () -> invoices().size() == number);
  }

  private List<String> invoices() throws SQLException {
    return billing.column("SELECT type FROM audit ORDER BY ctid");
  }
}
