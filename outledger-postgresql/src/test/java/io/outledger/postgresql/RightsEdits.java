// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.Revision;
import io.outledger.jdbc.admin.Verb;
import io.outledger.receive.ParkingHandler;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/** What an operator does who removes what messages say, or has others say it. */
final class RightsEdits {

  /** However slow the machine is: without it, a request goes on elsewhere after a while. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final String DEAD =
      """
      INSERT INTO outledger_parked
             (subscription, position, route, state, blocks, attempts, time, id, version, topic,
              message_key, type, payload)
      SELECT 'kafka', m.position, '', 'dead', true, 1, m.time, m.id, m.version, m.topic,
             m.message_key, m.type, m.payload
        FROM outledger_message m WHERE m.position < 3\
      """;

  private RightsEdits() {}

  static void erasesAndEdits(StoreDatabase database, DataSource operator) throws Exception {
    database.execute(StoreDatabase.append(3));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand.of(store).readAndSettle();
    }
    database.execute(DEAD);
    park(database);
    UUID second =
        UUID.fromString(
            database.query("SELECT id FROM outledger_message WHERE position = 2").get(0));
    try (Outledger outledger = Outledger.builder(operator).build()) {
      Verb erase = Verb.Erase.key("k1");
      assertThat(outledger.requests().ask(erase.by("anna", "ticket 4711"), PATIENCE).result())
          .isEqualTo(
              "erased 1 in the ledger, 1 parked by subscriptions with 0 attempts, 1 parked by"
                  + " consumers with all their attempts");
      Verb revise =
          new Verb.Revise(
              "kafka", new ParkedPlace("", 2, second), Revision.payload(new byte[] {1}));
      assertThat(outledger.requests().ask(revise.by("anna", "it had a comma"), PATIENCE).state())
          .isEqualTo(RequestState.DONE);
    }
    assertThat(database.number("SELECT count(*) FROM outledger_message")).isEqualTo(4);
  }

  private static void park(StoreDatabase database) {
    Received message =
        new Received("s", "1", "orders", "k1", "t", 1, new byte[] {1}, Map.of(), null, "", "");
    try (Outledger receiving = Outledger.builder(database.dataSource()).build()) {
      ((ParkingHandler) receiving.inbox("stock").handler((c, received) -> {}))
          .store()
          .park(message, new ParkedFailure(ParkedState.DEAD, true, 1, "no", Duration.ZERO), 10);
    }
  }
}
