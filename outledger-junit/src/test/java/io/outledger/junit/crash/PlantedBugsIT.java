// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.inbox.Received;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** Flows with a usual mistake: the crash test fails, and says what was lost or doubled. */
class PlantedBugsIT {

  @Test
  void aDualWriteLosesTheMessage() throws Exception {
    assertThat(failure(DualWrite::new, "crashed after COMMIT"))
        .contains("Lost:\n  message: order.placed v1 to orders with key o-1");
  }

  @Test
  void aMessageThatIsPublishedBeforeTheCommitTellsOfAnOrderThatIsNotThere() throws Exception {
    assertThat(failure(PublishedFirst::new, "crashed before COMMIT"))
        .contains("Lost:\n  order o-1");
  }

  @Test
  void anEffectOutsideTheInboxTransactionHappensTwice() throws Exception {
    assertThat(failure(ReservedOutside::new, "crashed after INSERT INTO reservation"))
        .contains("Happened once too often:\n  reserved o-1");
  }

  @Test
  void aMailThatMustNotBeRepeatedIsSentTwice() throws Exception {
    assertThat(failure(MailedOnce::new, "crashed after the effect mail for o-1"))
        .contains("Happened once too often:\n  effect: mail for o-1");
  }

  @Test
  void anAcknowledgementBeforeTheWorkLosesTheReservation() throws Exception {
    assertThat(failure(AcknowledgedFirst::new, "crashed before INSERT INTO reservation"))
        .contains("Lost:\n  reserved o-1");
  }

  @Test
  void anOrderThatIsAcceptedInMemoryIsLostAsAWhole() throws Exception {
    assertThat(failure(AcceptedInMemory::new, "crashed before INSERT INTO orders"))
        .contains("All effects of the request must happen once")
        .contains("Lost:\n  message: order.placed v1 to orders with key o-1\n  order o-1");
  }

  @Test
  void aHandlerThatAppendsWithoutEndEndsTheTest() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:endless-flow;DB_CLOSE_DELAY=-1");
    Shop.createTables(database);
    CrashFlow<Shop> flow =
        new CrashTrial(new CrashSeries(100), CrashSteps.NEVER)
            .<Shop>start(process -> new Endless(process, database))
            .request(shop -> shop.place("o-1"))
            .settle((process, shop) -> shop.settle());

    assertThatThrownBy(flow::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Handlers append without end");
  }

  @Test
  void aFlowWhoseStepsVaryDoesNotPassForOneThatHasCrashed() throws Exception {
    CrashSeries series = new CrashSeries(100);
    done(new CrashTrial(series, CrashSteps.NEVER), 2);

    assertThat(series.steps()).hasSize(3);
    assertThatThrownBy(() -> done(new CrashTrial(series, 3), 1))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("did not reach the step at which it was to crash");
  }

  private static void done(CrashTrial trial, int steps) throws Exception {
    trial
        .<AutoCloseable>start(process -> () -> {})
        .settle(
            (process, shop) -> {
              for (int step = 1; step < steps; step++) {
                process.step("step " + step);
              }
              process.repeatableEffect("done");
            })
        .check();
  }

  /** An application of one of the mistakes. */
  @FunctionalInterface
  private interface Mistake {
    Shop shop(CrashingProcess process, DataSource database) throws SQLException;
  }

  /** Crashes at each step, until the test fails for a crash at the one that is named. */
  private static String failure(Mistake mistake, String step) throws Exception {
    CrashSeries series = new CrashSeries(100);
    run(new CrashTrial(series, CrashSteps.NEVER), mistake);
    for (int crashAt = 1; crashAt <= series.steps().size(); crashAt++) {
      try {
        run(new CrashTrial(series, crashAt), mistake);
      } catch (AssertionError e) {
        String failure = String.valueOf(e.getMessage());
        if (failure.contains(step)) {
          return failure;
        }
      }
    }
    throw new AssertionError("No crash failed the test " + step + ": " + series.steps());
  }

  private static void run(CrashTrial trial, Mistake mistake) throws Exception {
    DataSource database = CrashTestIT.emptyDatabase();
    trial
        .start(process -> mistake.shop(process, database))
        .request(shop -> shop.place("o-1"))
        .settle((process, shop) -> shop.settle())
        .observe(() -> Shop.observe(database))
        .check();
  }

  /** Commits the order, and then publishes. */
  private static final class DualWrite extends Shop {

    DualWrite(CrashingProcess process, DataSource database) {
      super(process, database);
    }

    @Override
    void settle() throws Exception {
      publish();
    }

    @Override
    void place(String orderId) throws SQLException {
      outledger.transactions().run(connection -> insert(connection, "orders", orderId));
      tellOf(this, orderId);
    }
  }

  /** Tells the caller of success, and stores the order later. */
  private static final class AcceptedInMemory extends Shop {

    private final List<String> accepted = new ArrayList<>();

    AcceptedInMemory(CrashingProcess process, DataSource database) {
      super(process, database);
    }

    @Override
    void place(String orderId) {
      accepted.add(orderId);
    }

    @Override
    void settle() throws Exception {
      for (String orderId : accepted) {
        super.place(orderId);
      }
      publish();
    }
  }

  /** Publishes, and then commits the order. */
  private static final class PublishedFirst extends Shop {

    PublishedFirst(CrashingProcess process, DataSource database) {
      super(process, database);
    }

    @Override
    void settle() throws Exception {
      publish();
    }

    @Override
    void place(String orderId) throws SQLException {
      outledger
          .transactions()
          .run(
              connection -> {
                insert(connection, "orders", orderId);
                tellOf(this, orderId);
              });
    }
  }

  private static void tellOf(Shop shop, String orderId) {
    shop.outledger.outbox().inNewTransaction(new Shop.OrderPlaced(orderId));
  }

  /** Reserves on a connection of its own. */
  private static final class ReservedOutside extends Shop {

    ReservedOutside(CrashingProcess process, DataSource database) {
      super(process, database);
    }

    @Override
    void settle() throws Exception {
      publish();
      consume();
    }

    @Override
    void reserve(Connection connection, Received received) throws SQLException {
      try (Connection another = database.getConnection()) {
        super.reserve(another, received);
      }
    }
  }

  /** Believes that a handler's mail is sent once. */
  private static final class MailedOnce extends Shop {

    MailedOnce(CrashingProcess process, DataSource database) {
      super(process, database);
    }

    @Override
    void settle() throws Exception {
      sendMails();
    }

    @Override
    void mail(String orderId) {
      process.effect("mail for " + orderId);
    }
  }

  /** Answers each order with two others, so that its relay is never idle. */
  private static final class Endless extends Shop {

    Endless(CrashingProcess process, DataSource database) {
      super(process, database);
    }

    @Override
    void settle() throws Exception {
      process.drain(
          outledger
              .relay("handlers")
              .handler(
                  "loop",
                  h ->
                      h.on(
                          Shop.OrderPlaced.class,
                          (order, context) -> context.outbox().append(order, order))));
    }
  }

  /** Remembers what it has received, and works on it when that is acknowledged. */
  private static final class AcknowledgedFirst extends Shop {

    AcknowledgedFirst(CrashingProcess process, DataSource database) {
      super(process, database);
    }

    @Override
    void settle() throws Exception {
      publish();
      List<Received> accepted = new ArrayList<>();
      process.consume("inventory", accepted::addAll);
      for (Received received : accepted) {
        outledger.transactions().run(connection -> reserve(connection, received));
      }
    }
  }
}
