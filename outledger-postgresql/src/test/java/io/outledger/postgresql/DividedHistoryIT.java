// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Divide;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.relay.Slots;
import io.outledger.store.RelayStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What was settled late, or discarded, is said of the partition that its key has then. */
class DividedHistoryIT {

  private static final int MESSAGES = 2_500; // more than two portions

  @Test
  void whatWasDiscardedIsNotSaidToBePublishedAfterADivision() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(MESSAGES));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand relay = OwnerByHand.of(store);
      for (int read = 0; read < MESSAGES; ) {
        read += relay.readAndSettle().messages().size();
      }
    }
    database.execute(
        "INSERT INTO outledger_late (subscription, position, discarded)"
            + " SELECT 'kafka', position, true FROM outledger_message");
    database.execute("UPDATE outledger_cursor SET lease_until = NULL");
    RequestStatus done =
        Requests.of(database.dataSource(), "public")
            .ask(new Divide("kafka", 3).by("anna", "more machines"), Duration.ofMinutes(1));
    assertThat(done.state()).as(done.result()).isEqualTo(RequestState.DONE);
    Slots slots = new Slots(3);
    List<String> late =
        database.query(
            "SELECT l.partition_no, m.id, m.message_key FROM outledger_late l"
                + " JOIN outledger_message m USING (position) WHERE l.discarded");
    assertThat(late).hasSize(MESSAGES);
    for (String row : late) {
      String[] parts = row.split("\\|", 3);
      assertThat(Integer.parseInt(parts[0]))
          .as(row)
          .isEqualTo(1 + slots.of(parts[2], UUID.fromString(parts[1])));
    }
  }
}
