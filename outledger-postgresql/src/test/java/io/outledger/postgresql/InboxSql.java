// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.InboxKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Statements with which a test writes and reads inbox records as a consumer would. */
final class InboxSql {

  private InboxSql() {}

  /**
   * Returns the statements that remember a message.
   *
   * @param age since when, as an interval
   */
  static String remember(String consumer, InboxId id, String age) {
    InboxKey key = InboxKey.of(consumer, id);
    return told(consumer, key)
        + "INSERT INTO outledger_inbox (processed_minute, consumer_no, message_hash)"
        + " VALUES (%s, %d, '%s')".formatted(minute(age), key.consumerNo(), key.hash());
  }

  /**
   * Returns the statements that remember messages of the ledger, as a subscription's handler does.
   *
   * @param messages rows with position and id, for a FROM clause
   */
  static String remember(String consumer, String subscription, String messages, String age) {
    String source = Received.inboxSourceOf(subscription);
    String one = "0".repeat(18) + "1/" + "0".repeat(8) + "-0000".repeat(3) + "-" + "0".repeat(12);
    InboxKey key = InboxKey.of(consumer, new InboxId(source, one));
    String identity =
        "convert_to('%s', 'UTF8') || '\\x00' || convert_to('%s', 'UTF8') || '\\x00'"
            .formatted(consumer, source);
    return told(consumer, key)
        + """
        INSERT INTO outledger_inbox (processed_minute, consumer_no, message_hash)
        SELECT %s, %d, (lpad(to_hex(m.position), 16, '0') || left(encode(sha256(%s
               || convert_to(lpad(m.position::text, 19, '0') || '/' || m.id, 'UTF8')), 'hex'), 16)
               )::uuid
          FROM %s m\
        """
            .formatted(minute(age), key.consumerNo(), identity, messages);
  }

  private static String told(String consumer, InboxKey key) {
    return "INSERT INTO outledger_inbox_consumer VALUES ('%s', '%s', '1', %d); "
        .formatted(consumer, key.subscription(), key.consumerNo());
  }

  private static String minute(String age) {
    return "date_part('epoch', now() - interval '" + age + "') / 60";
  }

  /** Returns which of some ids are remembered, by their ids; anything else by its hash. */
  static List<String> remembered(TestDatabase database, String consumer, List<InboxId> ids) {
    Map<String, String> byHash = new TreeMap<>();
    ids.forEach(id -> byHash.put(InboxKey.of(consumer, id).hash().toString(), id.id()));
    return database.query("SELECT message_hash FROM outledger_inbox").stream()
        .map(hash -> byHash.getOrDefault(hash, hash))
        .sorted()
        .toList();
  }
}
