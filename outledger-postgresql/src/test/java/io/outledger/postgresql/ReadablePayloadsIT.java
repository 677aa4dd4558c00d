// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import org.junit.jupiter.api.Test;

/** Payloads are shown so that people can read them, whatever their bytes are. */
class ReadablePayloadsIT {

  @Test
  void textIsShownAsTextAndEverythingElseAsDigits() {
    TestDatabase database = TestDatabase.create();
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      outledger
          .outbox()
          .inNewTransaction(
              message("{\"city\":\"Zürich\"}".getBytes(UTF_8)),
              message(new byte[0]),
              message(new byte[] {(byte) 0xc3, 0x28}),
              message(new byte[] {'a', 0, 'b'}),
              message(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}));
    }
    assertThat(database.query("SELECT payload FROM outledger_readable ORDER BY position"))
        .containsExactly("{\"city\":\"Zürich\"}", "", "\\xc328", "\\x610062", "\\xeda080");
    assertThat(database.query("SELECT outledger_text(NULL) IS NULL")).containsExactly("t");
  }

  private static Message message(byte[] payload) {
    return Message.to("t", "t").payload(payload).build();
  }
}
