// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The views tell the truth about each state that a message can be in. */
class ViewsIT {

  @Test
  void pendingFailedPublishedAndLagAreShown() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(6));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand relay = OwnerByHand.of(store);
      List<LedgerMessage> messages = relay.readAndSettle().messages();
      database.execute(StoreDatabase.append(2));
      relay.frontier =
          new io.outledger.frontier.Frontier(6, Positions.of(5, 6)); // 5 and 6 are in flight
      relay.save(
          List.of(
              park(2, messages.get(1).message(), ParkedState.RETRYING, Duration.ofHours(1)),
              park(3, messages.get(2).message(), ParkedState.HELD, null),
              park(4, messages.get(3).message(), ParkedState.DEAD, null)),
          Positions.of(5));
      assertThat(database.query("SELECT position, state FROM outledger_pending ORDER BY position"))
          .containsExactly(
              "2|retrying", "3|held", "5|in flight", "6|in flight", "7|waiting", "8|waiting");
      assertThat(database.query("SELECT position, state, error FROM outledger_failed ORDER BY 1"))
          .containsExactly("2|retrying|it said no", "4|dead|it said no");
      assertThat(published(database)).containsExactly("1");
      assertThat(
              database.query(
                  "SELECT running, high, behind, open_ranges, retrying, held, dead,"
                      + " oldest_age >= interval '0' FROM outledger_lag"))
          .containsExactly("t|6|2|2|1|1|1|t");
      relay.frontier = relay.frontier.settle(Positions.of(5, 6));
      relay.save(List.of(remove(messages.get(1)), remove(messages.get(3))), Positions.NONE);
      assertThat(published(database)).containsExactly("1", "2", "4", "5", "6");
    }
  }

  @Test
  void messageFromAHoleBesideTheRowIsNotSaidToBePublishedBeforeItWas() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(3));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand relay = OwnerByHand.of(store);
      relay.frontier = relay.frontier.readTo(3).settle(Positions.of(1, 3));
      relay.save(List.of(), Positions.of(2));
      database.execute("SELECT pg_sleep(0.05)");
      relay.frontier = relay.frontier.settle(Positions.of(2));
      relay.save(List.of(), Positions.NONE);
      assertThat(
              database.query(
                  "SELECT a.published_by < b.published_by FROM outledger_published a"
                      + " JOIN outledger_published b ON a.position = 1 AND b.position = 2"))
          .containsExactly("t");
    }
  }

  @Test
  void messageWhosePositionAnEarlierOneIsParkedAtIsPublished() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(2));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand relay = OwnerByHand.of(store);
      relay.readAndSettle();
      Message earlier = Message.to("orders", "order.placed").key("k").build();
      ParkedChange parked = park(2, earlier, ParkedState.DEAD, null);
      relay.save(List.of(parked), Positions.NONE);
      assertThat(published(database)).containsExactly("1", "2");
      relay.save(List.of(new ParkedChange.Remove(2, "", earlier.id(), true)), Positions.NONE);
      assertThat(published(database)).containsExactly("1", "2");
      assertThat(database.number("SELECT count(*) FROM outledger_late")).isZero();
    }
  }

  private static ParkedChange remove(LedgerMessage parked) {
    return new ParkedChange.Remove(parked.position(), "", parked.message().id());
  }

  private static List<String> published(StoreDatabase database) throws SQLException {
    return database.query(
        "SELECT position FROM outledger_published WHERE published_by IS NOT NULL ORDER BY 1");
  }

  private static ParkedChange park(
      long position,
      Message message,
      ParkedState state,
      @org.jspecify.annotations.Nullable Duration retryIn) {
    return new ParkedChange.Park(
        new ParkedMessage(
            position, "", message, state, 1, state != ParkedState.DEAD, null, false, 0, null),
        state == ParkedState.HELD ? null : "it said no",
        retryIn);
  }
}
