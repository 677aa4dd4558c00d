// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.Admin;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.Verb;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** What is told of a message that was erased before it was published. */
class ErasureIT {

  private final StoreDatabase database = StoreDatabase.create();
  private final Requests requests = Requests.of(database.dataSource(), "public");

  @Test
  void erasedMessageIsPassedOverAndNotSaidToBePublished() throws SQLException {
    try (StoreBench bench = new StoreBench(database)) {
      Relay relay = bench.relay();
      bench.steps(relay, 1);
      bench.append("k", 1, 1);
      bench.append("x", 2, 2);
      bench.append("k", 3, 3);
      Verb erase = Verb.Erase.key("x");
      assertThat(requests.ask(erase.by("anna", "ticket 4711")).state())
          .isEqualTo(RequestState.RUNNING);
      bench.steps(relay, 4);
      assertThat(bench.published()).containsExactly("k1", "k3");
      assertThat(bench.events(RelayEvent.Erased.class)).hasSize(1);
      assertThat(
              database.query(
                  "SELECT position, published_by IS NOT NULL, discarded FROM outledger_published"
                      + " ORDER BY position"))
          .containsExactly("1|t|f", "2|f|t", "3|t|f");
      assertThat(Admin.of(database.dataSource(), "public").why(2).sentence())
          .contains("discarded; what it said was erased");
    }
  }
}
