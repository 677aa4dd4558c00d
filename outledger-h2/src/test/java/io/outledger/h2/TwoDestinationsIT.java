// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.Outledger;
import io.outledger.publish.Publisher;
import io.outledger.servers.CapturedLog;
import io.outledger.testing.RecordingPublisher;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two relays of one subscription stand in for each other, also where nobody meant that. */
class TwoDestinationsIT {

  private static final String TOLD = "different destinations";

  @Test
  void twoRelaysOfOneNameWithDifferentDestinationsAreTold() {
    Publisher one = new RecordingPublisher();
    assertThat(logOf(one, new RecordingPublisher())).anyMatch(line -> line.contains(TOLD));
    assertThat(logOf(one, one)).noneMatch(line -> line.contains(TOLD));
  }

  @Test
  void eachProcessSaysWhereItPublishesTo() {
    Publisher one = new RecordingPublisher();
    Publisher other = new RecordingPublisher();
    assertThat(logOf(one, other))
        .anyMatch(line -> line.contains("subscription orders publishes to " + one + " while"))
        .anyMatch(line -> line.contains("subscription orders publishes to " + other + " while"));
  }

  private static List<String> logOf(Publisher one, Publisher other) {
    return CapturedLog.during(
        () -> {
          try (TestH2 database = TestH2.create();
              Outledger outledger = Outledger.builder(database.dataSource()).build()) {
            outledger.relay("orders").to(one).start();
            outledger.relay("orders").to(other).start();
            outledger.relay("others").to(other).start();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }
}
