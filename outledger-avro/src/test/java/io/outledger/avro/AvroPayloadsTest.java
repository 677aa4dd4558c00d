// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.avro.shop.OrderPlaced;
import io.outledger.event.Events;
import io.outledger.junit.OutledgerAssertions;
import java.nio.file.Path;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

/** Every payload that was ever written is read by today's classes. */
final class AvroPayloadsTest {

  @Test
  void whatWasEverWrittenIsRead() {
    Events events =
        Orders.events(
            AvroSerializer.builder()
                .type(OrderPlaced.class, Orders.OLDER)
                .records(Orders.FIRST)
                .build(),
            type -> type.version(2).upcast(1, 2, GenericRecord.class, AvroUpcastTest::inCents));
    OutledgerAssertions.assertThat(events)
        .writesPayloadsUnder(Path.of("src/test/payloads"), Orders.ORDER)
        .readsPayloadsUnder(Path.of("src/test/payloads"));
  }
}
