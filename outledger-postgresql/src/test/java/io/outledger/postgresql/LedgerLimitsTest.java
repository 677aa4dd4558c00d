// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.MessageLimits;
import org.junit.jupiter.api.Test;

/** The ledger's constraints, in bytes, refuse nothing that a message may hold, in characters. */
class LedgerLimitsTest {

  private static final int BYTES_A_CHAR = 3; // a pair of surrogates takes four
  private static final int BYTES_AN_ENCODED_CHAR = 3 * BYTES_A_CHAR;

  private final String sql = PostgreSql.schema("app").print();

  @Test
  void limitsFollowThoseOfMessages() {
    assertThat(sql)
        .contains(
            check("topic", "BETWEEN 1 AND " + BYTES_A_CHAR * MessageLimits.TOPIC_CHARS_MAX),
            check("type", "BETWEEN 1 AND " + BYTES_A_CHAR * MessageLimits.TYPE_CHARS_MAX),
            check("key", "<= " + BYTES_A_CHAR * MessageLimits.KEY_CHARS_MAX),
            check("payload", "<= " + MessageLimits.PAYLOAD_BYTES_MAX),
            check(
                "headers", "<= " + (BYTES_AN_ENCODED_CHAR + 2) * MessageLimits.HEADERS_CHARS_MAX));
  }

  private static String check(String column, String limit) {
    return "CONSTRAINT outledger_message_" + column + " CHECK (octet_length(VALUE) " + limit + ")";
  }
}
