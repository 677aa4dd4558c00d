// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.store.CursorRow;
import io.outledger.store.LeaseGrant;
import io.outledger.store.Page;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What each database does whole for one relay: poll, save, the proof of dead holes, and what goes
 * with them. Each method is that of {@link RelayStore} with the same name, over a session, and
 * throws {@link SQLException} where the database failed. Used by one thread.
 *
 * @param <S> the database's session
 */
public interface RelayStories<S extends RelaySession> {

  /** Opens a session; nothing stays open where that fails. */
  S open() throws SQLException;

  /**
   * Checks that the server and the user are such that the proof of dead holes holds.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-020} if they are not
   */
  void checkServer(S session) throws SQLException;

  /** Checks all that the proof rests on; see {@link RelayStore#checkPreconditions}. */
  void check(S session, long high) throws SQLException;

  /** Finds where a start is that only the ledger can tell; see {@link LedgerTables#walk}. */
  Optional<LedgerEdge> walk(S session, Start start) throws SQLException;

  /** See {@link RelayStore#takeOver}. */
  Optional<LeaseGrant> takeOver(
      S session, CursorRow seen, UUID incarnation, Duration lease, Runnable asking)
      throws SQLException;

  /** See {@link RelayStore#poll}. */
  Page poll(S session, PollRequest request) throws SQLException;

  /** See {@link RelayStore#save}. */
  SaveOutcome save(S session, Save row) throws SQLException;

  /** See {@link RelayStore#writers}. */
  Set<Long> writers(S session) throws SQLException;

  /** See {@link RelayStore#blockers}. */
  String blockers(S session) throws SQLException;

  /** See {@link RelayStore#due}. */
  List<ParkedMessage> due(S session, Set<String> routes, Set<ParkedPlace> except, int limit)
      throws SQLException;

  /** See {@link RelayStore#parkedElsewhere}. */
  Map<String, Long> parkedElsewhere(S session, Set<String> routes) throws SQLException;

  /** See {@link RelayStore#releasable}. */
  List<LeaseGrant.BlockedKey> releasable(S session, Set<String> routes, int limit)
      throws SQLException;

  /** See {@link RelayStore#held}. */
  List<ParkedMessage> held(S session, String route, String key, int limit) throws SQLException;

  /** See {@link RelayStore#discards}. */
  List<ParkedMessage> discards(S session, ParkedPlace after, int limit) throws SQLException;

  /** The same as {@link RelayStore#slotsWithWork}, with the numbers of partitions. */
  Set<Integer> partitionsWithWork(S session, Set<Integer> partitions) throws SQLException;

  /** See {@link RelayStore#purgeCursor}. */
  void purgeCursor(S session, long newest) throws SQLException;
}
