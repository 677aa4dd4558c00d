// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Held rows are found by the hash of their key, and two keys may have the same one. */
class KeysOfOneHashIT {

  // Found by running the hash backwards, which loses nothing of twelve bytes but a third.
  private static final String ONE = "collision-01";
  private static final String OTHER = "oW8FJ+apvLfY";

  private final StoreDatabase database = StoreDatabase.create();

  @Test
  void heldMessagesOfTheOtherKeyAreNotAmongThem() throws SQLException {
    assertThat(
            database.query(
                "SELECT hashtextextended('%s', 0) = hashtextextended('%s', 0)"
                    .formatted(ONE, OTHER)))
        .containsExactly("t");
    database.execute(StoreDatabase.append(2));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      List<LedgerMessage> messages = owner.readAndSettle().messages();
      owner.save(List.of(hold(messages.get(0), ONE), hold(messages.get(1), OTHER)), Positions.NONE);
      assertThat(store.held("", ONE, 10)).extracting(ParkedMessage::position).containsExactly(1L);
      assertThat(store.held("", OTHER, 10)).extracting(ParkedMessage::position).containsExactly(2L);
    }
  }

  private static ParkedChange hold(LedgerMessage origin, String key) {
    return new ParkedChange.Park(
        new ParkedMessage(
            origin.position(),
            "",
            origin.message().copy().key(key).build(),
            ParkedState.HELD,
            0,
            true,
            null,
            false,
            0,
            null),
        null,
        null);
  }
}
