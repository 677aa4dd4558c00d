// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class EventTimesTest {

  @Test
  void everyTimeIsWrittenToTheMicrosecond() {
    EventTimes times = new EventTimes();
    Random random = new Random(3);
    for (int i = 0; i < 10_000; i++) {
      long second = random.nextInt(100) < 50 ? 1_800_000_000L : random.nextLong(4_000_000_000L);
      Instant time = Instant.ofEpochSecond(second, random.nextInt(1_000_000) * 1_000L);
      String text = new String(times.format(time), US_ASCII);
      assertThat(OffsetDateTime.parse(text).toInstant()).isEqualTo(time);
      assertThat(text).hasSize("2026-01-01T00:00:00.000000Z".length());
    }
  }
}
