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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was settled late, or discarded, is said of the partition that its key has then. */
class DividedHistoryIT {

  private static final int MESSAGES = 2_500; // more than two portions

  private final StoreDatabase database = StoreDatabase.create();

  /** Everything is settled, and noted as discarded. */
  @BeforeEach
  void settle() throws SQLException {
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
  }

  private void divide() throws SQLException {
    RequestStatus done =
        Requests.of(database.dataSource(), "public")
            .ask(new Divide("kafka", 3).by("anna", "more machines"), Duration.ofMinutes(1));
    assertThat(done.state()).as(done.result()).isEqualTo(RequestState.DONE);
  }

  private List<String> late(String condition) throws SQLException {
    return database.query(
        "SELECT l.partition_no, m.id, m.message_key FROM outledger_late l"
            + " JOIN outledger_message m USING (position) WHERE "
            + condition);
  }

  private static boolean isInItsPartition(String row) {
    String[] parts = row.split("\\|", 3);
    int own = 1 + new Slots(3).of(parts[2], UUID.fromString(parts[1]));
    return Integer.parseInt(parts[0]) == own;
  }

  @Test
  void whatWasDiscardedIsNotSaidToBePublishedAfterADivision() throws SQLException {
    divide();
    assertThat(late("l.discarded")).hasSize(MESSAGES).allMatch(DividedHistoryIT::isInItsPartition);
  }

  /** A new partition may settle something before the note of it has come from the old one. */
  @Test
  void whatANewPartitionHasNotedItselfIsTheLaterNote() throws SQLException {
    database.execute(
        "INSERT INTO outledger_late (subscription, partition_no, position, discarded)"
            + " SELECT 'kafka', n, position, false FROM outledger_message, generate_series(1, 3) n"
            + " WHERE position <= 10");
    divide();
    assertThat(late("NOT l.discarded").stream().filter(DividedHistoryIT::isInItsPartition))
        .hasSize(10);
  }
}
