// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.benchmarks.SharedClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ArrivalLogTest {

  @Test
  void whoeverOpensTheFileSeesWhenAMessageArrivedFirst() throws IOException {
    Path file = ArrivalLog.newFile(3);
    ArrivalLog publisher = ArrivalLog.in(file);
    ArrivalLog writer = ArrivalLog.in(file);
    Files.delete(file);

    long before = SharedClock.nanos();
    publisher.receive(2);
    long after = SharedClock.nanos();
    publisher.receive(2);

    assertThat(writer.nanos(2)).isBetween(before, after);
    assertThat(writer.nanos(1)).isZero();
    assertThat(writer.haveAll(2, 1)).isTrue();
    assertThat(writer.haveAll(1, 2)).isFalse();
  }
}
