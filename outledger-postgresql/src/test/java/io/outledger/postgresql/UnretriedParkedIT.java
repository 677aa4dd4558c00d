// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.receive.ParkingHandler;
import io.outledger.servers.CapturedLog;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An inbox's handler that a consumer of the user's own calls, and what nobody retries then. */
final class UnretriedParkedIT {

  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final String TOLD = "WARN parked messages of consumer stock: 1. ";

  private final Outledger outledger = Outledger.builder(DATABASE.dataSource()).build();

  @BeforeEach
  void start() {
    DATABASE.execute("TRUNCATE outledger_inbox, outledger_inbox_parked CASCADE");
    CapturedLog.start();
  }

  @AfterEach
  void stop() {
    CapturedLog.stop();
    outledger.close();
  }

  private BatchHandler handler() {
    return outledger.inbox("stock").handler((connection, message) -> {});
  }

  private static Received received(String id) {
    return new Received("shop", id, "orders", "7", "t", 1, new byte[0], Map.of(), null, "", "");
  }

  private static void park(BatchHandler handler) {
    ParkedFailure failure =
        new ParkedFailure(ParkedState.RETRYING, true, 1, "no stock", Duration.ZERO);
    assertThat(((ParkingHandler) handler).store().park(received("1"), failure, 10)).isTrue();
  }

  @Test
  void whoDoesNotRetryIsToldOnceOfWhatIsParked() throws Exception {
    BatchHandler handler = handler();
    park(handler);
    handler.handle(List.of(received("2")));
    handler.handle(List.of(received("3")));
    assertThat(CapturedLog.stop().lines().filter(line -> line.startsWith(TOLD))).hasSize(1);
    assertThat(DATABASE.count("outledger_inbox")).isEqualTo(2);
  }

  @Test
  void nothingIsToldWhereNothingIsParked() throws Exception {
    handler().handle(List.of(received("2")));
    assertThat(CapturedLog.stop()).doesNotContain("parked messages");
  }

  @Test
  void handlerWorksWithoutTheRightToSeeWhatIsParked() throws Exception {
    BatchHandler handler = handler();
    DATABASE.execute("ALTER TABLE outledger_inbox_parked RENAME TO hidden");
    try {
      handler.handle(List.of(received("2")));
      assertThat(DATABASE.count("outledger_inbox")).isEqualTo(1);
    } finally {
      DATABASE.execute("ALTER TABLE hidden RENAME TO outledger_inbox_parked");
    }
    park(handler);
    handler.handle(List.of(received("3")));
    assertThat(CapturedLog.has(TOLD)).isTrue();
  }
}
