// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.MessageIds;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.InboxConsumers;
import io.outledger.jdbc.spi.InboxKey;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.spi.InboxTable;
import io.outledger.jdbc.sql.MarkedInboxProof;
import io.outledger.jdbc.sql.MarkedInboxProof.Rows;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Remembers ids. A statement that meets an id which another transaction is inserting waits for it,
 * and leaves its row as it is once that one has committed. It sees what is committed at whatever
 * isolation level.
 */
final class MySqlInbox implements InboxTable {

  // The primary key. The ids are sorted, so that two batches with the same ids wait for each other
  // and do not deadlock: of those that wait for a row, one alone gets it if it is rolled back,
  // which INSERT IGNORE does not promise.
  private static final String INSERT =
      """
      INSERT INTO {schema}.outledger_inbox (processed_minute, consumer_no, message_hash, proof)
      VALUES %s ON DUPLICATE KEY UPDATE processed_minute = processed_minute\
      """;
  private static final String ROW = "(FLOOR(UNIX_TIMESTAMP() / 60), ?, ?, ?)";

  // The primary key; its own rows are seen at every isolation level.
  private static final String INSERTED =
      """
      SELECT i.message_hash FROM {schema}.outledger_inbox i
       WHERE (i.consumer_no, i.message_hash) IN (%s) AND i.proof = ?\
      """;

  private static final int ROWS_MAX = 1_000;

  private final Tables tables;
  private final InboxConsumers consumers;

  MySqlInbox(Tables tables) {
    this.consumers = new InboxConsumers(tables);
    this.tables = tables;
  }

  @Override
  public Optional<InboxProof> insert(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException {
    UUID proof = MessageIds.system().next();
    InboxKeys keys = keys(transaction, consumer, new TreeSet<>(ids));
    Set<InboxId> fresh = new HashSet<>();
    List<InboxKey> sorted = keys.all();
    for (int from = 0; from < sorted.size(); from += ROWS_MAX) {
      List<InboxKey> part = sorted.subList(from, Math.min(sorted.size(), from + ROWS_MAX));
      for (UUID hash : insert(transaction, part, proof)) {
        fresh.add(keys.idOf(hash));
      }
    }
    if (fresh.isEmpty()) {
      return Optional.empty();
    }
    InboxKeys inserted = keys.of(fresh);
    consumers.tell(transaction, proof.toString(), consumer, inserted);
    return Optional.of(
        new MarkedInboxProof(
            MarkedWork.BOUNDS, proof, consumer, fresh, new Rows(inserted, tables)));
  }

  InboxKeys keys(Connection transaction, String consumer, Collection<InboxId> ids)
      throws SQLException {
    return consumers.keys(transaction, consumer, ids);
  }

  private List<UUID> insert(Connection transaction, List<InboxKey> keys, UUID proof)
      throws SQLException {
    List<Object> rows = new ArrayList<>();
    List<Object> wanted = new ArrayList<>();
    for (InboxKey key : keys) {
      rows.addAll(List.of(key.consumerNo(), key.hash(), proof));
      wanted.addAll(List.of(key.consumerNo(), key.hash()));
    }
    wanted.add(proof);
    Sql.in(tables, transaction, INSERT.formatted(times(ROW, keys.size())), rows.toArray()).update();
    return Sql.in(
            tables, transaction, INSERTED.formatted(times("(?, ?)", keys.size())), wanted.toArray())
        .rows(row -> MySqlValues.ALL.uuid(row, 1));
  }

  private static String times(String part, int count) {
    return String.join(", ", Collections.nCopies(count, part));
  }
}
