// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.Admission;
import io.outledger.jdbc.spi.InboxKey;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.spi.InboxTable;
import io.outledger.jdbc.spi.ReceivedTable.Look;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Inserts the inbox records of those messages of a batch that nothing parked is in the way of. It
 * looks at one message after the other, unless nothing is parked at all. Thread-safe.
 */
public final class AdmissionBySql {

  // The primary key.
  private static final String ANY =
      """
      SELECT CASE WHEN EXISTS (SELECT 1 FROM {schema}.outledger_inbox_parked p
                                WHERE p.consumer = ?) THEN 1 ELSE 0 END\
      """;

  // By the unique key, and by the index of keys.
  private static final String PARKED =
      """
      SELECT COUNT(*) FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.source = ? AND p.message_id = ?\
      """;
  private static final String PROCESSED =
      """
      SELECT COUNT(*) FROM {schema}.outledger_inbox i
       WHERE i.consumer_no = ? AND i.message_hash = ?\
      """;

  // The same keys, so many at a time.
  private static final String ALL_PROCESSED =
      """
      SELECT i.message_hash FROM {schema}.outledger_inbox i
       WHERE i.consumer_no = ? AND i.message_hash IN (%s)\
      """;
  private static final String ALL_PARKED =
      """
      SELECT p.message_id FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.source = ? AND p.message_id IN (%s)\
      """;
  private static final int ASKED_AT_ONCE = 100;

  private static final String OF_KEY =
      """
      SELECT COUNT(*), COUNT(CASE WHEN p.blocks THEN 1 END)
        FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.message_key = ? AND p.key_space = ?\
      """;

  private final LedgerTables tables;
  private final InboxTable inbox;
  private final Keys keys;

  /**
   * Creates it, without I/O.
   *
   * @param inbox where records are inserted
   * @param keys how they are found there
   */
  public AdmissionBySql(LedgerTables tables, InboxTable inbox, Keys keys) {
    this.tables = tables;
    this.inbox = inbox;
    this.keys = keys;
  }

  /** How records are found in an inbox. */
  @FunctionalInterface
  public interface Keys {

    /** Returns the keys of ids. */
    InboxKeys of(Connection transaction, String consumer, Collection<InboxId> ids)
        throws SQLException;
  }

  private Sql sql(Connection connection, String text, @Nullable Object... values) {
    return Sql.in(tables, connection, text, values);
  }

  /** See {@link io.outledger.jdbc.spi.ReceivedTable#admit}. */
  public Admission admit(Connection transaction, String consumer, List<Received> batch, Look look)
      throws SQLException {
    Set<InboxId> free = new HashSet<>();
    Set<InboxId> blocked = new HashSet<>();
    Set<InboxId> dead = new HashSet<>();
    Map<SpacedKey, Parked> ofKeys = new HashMap<>();
    boolean isBlind = look == Look.LOCKED_IN_ANY && isBlind(transaction);
    boolean isAnyParked = sql(transaction, ANY, consumer).number() > 0;
    for (Received message : batch) {
      InboxId id = message.inboxId();
      if (!isAnyParked) {
        free.add(id);
      } else if (!isParked(transaction, consumer, id)) {
        Parked ofKey = ofKey(transaction, consumer, message, ofKeys);
        if (ofKey.blocking() == 0 && (ofKey.all() == 0 || !isBlind)) {
          (ofKey.all() == 0 || look != Look.FIRST ? free : dead).add(id);
        } else if (!isProcessed(transaction, consumer, id)) {
          blocked.add(id);
        }
      }
    }
    Optional<InboxProof> proof =
        free.isEmpty() ? Optional.empty() : inbox.insert(transaction, consumer, free);
    return new Admission(proof, blocked, dead);
  }

  /**
   * Returns whether the transaction may not see what was committed while it waited for a lock. A
   * read that locks would, and would have the requests of operators pass over what it has locked.
   */
  private static boolean isBlind(Connection transaction) throws SQLException {
    return transaction.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED;
  }

  private boolean isParked(Connection transaction, String consumer, InboxId id)
      throws SQLException {
    return sql(transaction, PARKED, consumer, id.source(), id.id()).number() > 0;
  }

  private boolean isProcessed(Connection transaction, String consumer, InboxId id)
      throws SQLException {
    InboxKey key = keys.of(transaction, consumer, Set.of(id)).all().get(0);
    return sql(transaction, PROCESSED, key.consumerNo(), key.hash()).number() > 0;
  }

  /** See {@link io.outledger.jdbc.spi.ReceivedTable#known}. */
  public Set<InboxId> known(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException {
    Set<InboxId> found = new HashSet<>();
    List<InboxId> all = List.copyOf(ids);
    for (int from = 0; from < all.size(); from += ASKED_AT_ONCE) {
      List<InboxId> part = all.subList(from, Math.min(all.size(), from + ASKED_AT_ONCE));
      addProcessed(transaction, keys.of(transaction, consumer, part), found);
      addParked(transaction, consumer, part, found);
    }
    return found;
  }

  private void addProcessed(Connection transaction, InboxKeys part, Set<InboxId> found)
      throws SQLException {
    Map<Integer, List<Object>> ofConsumers =
        part.all().stream()
            .collect(groupingBy(InboxKey::consumerNo, mapping(InboxKey::hash, toList())));
    for (Map.Entry<Integer, List<Object>> each : ofConsumers.entrySet()) {
      List<Object> values = new ArrayList<>(List.of(each.getKey()));
      values.addAll(each.getValue());
      found.addAll(
          sql(transaction, in(ALL_PROCESSED, each.getValue()), values.toArray())
              .rows(row -> part.idOf(tables.values().uuid(row, 1))));
    }
  }

  private void addParked(
      Connection transaction, String consumer, List<InboxId> part, Set<InboxId> found)
      throws SQLException {
    Map<String, List<Object>> ofSources =
        part.stream().collect(groupingBy(InboxId::source, mapping(InboxId::id, toList())));
    for (Map.Entry<String, List<Object>> each : ofSources.entrySet()) {
      List<Object> values = new ArrayList<>(List.of(consumer, each.getKey()));
      values.addAll(each.getValue());
      found.addAll(
          sql(transaction, in(ALL_PARKED, each.getValue()), values.toArray())
              .rows(row -> new InboxId(each.getKey(), row.getString(1))));
    }
  }

  private static String in(String text, List<Object> values) {
    return text.formatted(String.join(", ", Collections.nCopies(values.size(), "?")));
  }

  /** A key, and what it belongs to. */
  private record SpacedKey(String space, String key) {}

  /** How many messages of a key are parked, and how many of them hold later ones back. */
  private record Parked(long all, long blocking) {

    private static final Parked NONE = new Parked(0, 0);
  }

  // Looks once at each key: a retry may end between two looks, and a later message of the key would
  // be processed while an earlier one is about to be held.
  private Parked ofKey(
      Connection transaction, String consumer, Received message, Map<SpacedKey, Parked> lookedAt)
      throws SQLException {
    String text = message.key();
    if (text == null) {
      return Parked.NONE;
    }
    SpacedKey key = new SpacedKey(message.keySpace(), text);
    Parked seen = lookedAt.get(key);
    if (seen != null) {
      return seen;
    }
    Parked parked =
        sql(transaction, OF_KEY, consumer, text, key.space())
            .first(row -> new Parked(row.getLong(1), row.getLong(2)))
            .orElse(Parked.NONE);
    lookedAt.put(key, parked);
    return parked;
  }
}
