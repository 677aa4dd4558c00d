// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.OutledgerException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.RelayStatus.State;
import io.outledger.jdbc.spi.StatusStore.Entry;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

abstract class StatusContractTests extends DatabaseContractTests {

  private static final CursorKey KEY = new CursorKey(SUBSCRIPTION, 0);
  private static final int INSTANCES_MAX = 100;

  @Test
  final void lastStateOfEachInstanceIsShown() {
    write(entry("one", State.RUNNING, null, 10), entry("two", State.STANDBY, null, 10));
    write(entry("one", State.WAITING, "the destination is down", 5));
    assertThat(rows("")).isEqualTo(2);
    assertThat(rows(" WHERE state = 'waiting' AND reason = 'the destination is down'"))
        .isEqualTo(1);
  }

  @Test
  final void instanceThatSimplyEndedIsRemoved() {
    write(entry("one", State.RUNNING, null, 10), entry("two", State.RUNNING, null, 10));
    write(entry("one", State.STOPPED, "", 0), entry("two", State.STOPPED, "refused", 0));
    assertThat(rows("")).isEqualTo(1);
    assertThat(rows(" WHERE instance = 'two' AND state = 'stopped'")).isEqualTo(1);
  }

  @Test
  final void longestGoneInstancesAreForgotten() {
    List<Entry> many = new ArrayList<>();
    for (int i = 0; i <= INSTANCES_MAX; i++) {
      many.add(entry("i" + i, State.RUNNING, null, i));
    }
    write(many.toArray(Entry[]::new));
    assertThat(rows("")).isEqualTo(INSTANCES_MAX);
    assertThat(rows(" WHERE instance = 'i" + INSTANCES_MAX + "'")).isZero();
  }

  /** Else its status would be what an earlier instance was doing. */
  @Test
  final void relayThatIsRefusedAtItsStartSaysWhy() {
    try (Outledger outledger = Outledger.builder(dataSource()).withoutRetention().build()) {
      execute("ALTER TABLE outledger_declaration RENAME TO outledger_gone");
      RelayBuilder relay = outledger.relay(SUBSCRIPTION).to(new RecordingPublisher());
      assertThatThrownBy(relay::start).isInstanceOf(OutledgerException.class);
    }
    assertThat(rows(" WHERE state = 'stopped' AND reason LIKE 'OUT-0%'")).isEqualTo(1);
  }

  private void write(Entry... entries) {
    database().status(dataSource()).write(List.of(entries));
  }

  private static Entry entry(String instance, State state, @Nullable String reason, int seconds) {
    return new Entry(
        KEY, instance, new RelayStatus(state, reason, null), Duration.ofSeconds(seconds));
  }

  private long rows(String where) {
    return count("SELECT count(*) FROM outledger_status" + where);
  }
}
