// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import static io.outledger.junit.OutledgerAssertions.assertThat;

import io.outledger.jackson.JacksonSerializer;
import io.outledger.junit.InMemoryExtension;
import io.outledger.junit.page.Shop.OrderPaid;
import io.outledger.junit.page.Shop.OrderPlaced;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What docs/testing.md shows. */
class PayloadsTest {

  @RegisterExtension
  final InMemoryExtension outledger =
      InMemoryExtension.with(JacksonSerializer.create(), Shop::events);

  @Test
  void whatWasEverWrittenIsRead() {
    assertThat(outledger.events())
        .writesPayloadsUnder(
            Path.of("src/test/payloads"), new OrderPlaced("o-1", 1990), new OrderPaid("o-1"))
        .readsPayloadsUnder(Path.of("src/test/payloads"));
  }
}
