// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.jdbc.Outledger;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.relay.DrainReport;
import io.outledger.relay.StepReport;
import java.time.Duration;
import java.util.Map;

/** Everything that waits is published now, and the relay ends. */
final class Drained {

  private Drained() {}

  static boolean everything(Outledger outledger, Map<String, String> settings)
      throws InterruptedException {
    try (var relay = outledger.relay("kafka").to(KafkaPublisher.with(settings)).build()) {
      DrainReport report = relay.drain(Duration.ofMinutes(1));
      return report.state() == StepReport.State.RELEASED;
    }
  }
}
