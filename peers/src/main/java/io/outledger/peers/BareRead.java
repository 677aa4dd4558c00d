// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.Message;
import io.outledger.store.LedgerMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * What nothing that reads all rows can be much faster than: Outledger's messages read page by page
 * along the primary key, and made into the same objects. It remembers nothing and would lose
 * messages.
 */
final class BareRead implements Application {

  private static final int PAGE_MESSAGES = 5_000;

  // The relay's settings.
  private static final String SETTINGS =
      """
      SET jit = off;
      SET plan_cache_mode = force_generic_plan;
      SET enable_seqscan = off;
      SET enable_bitmapscan = off;
      SET enable_material = off;
      SET max_parallel_workers_per_gather = 0\
      """;

  private static final String PAGE =
      """
      SELECT m.position, m.time, m.id, m.version, m.topic, m.key, m.type, m.payload
        FROM outledger_message m
       WHERE m.position > ? ORDER BY m.position LIMIT %d\
      """
          .formatted(PAGE_MESSAGES);

  private final DataSource dataSource;
  private final Receiver receiver;
  private final Application writing;
  private final Background background = new Background("bare-read");

  private BareRead(Site site) {
    this.dataSource = site.dataSource();
    this.receiver = site.receiver();
    this.writing = OutledgerOutbox.open(site);
  }

  static Application open(Site site) {
    return new BareRead(site);
  }

  @Override
  public void commit(Business business, List<NumberedMessage> messages) throws Exception {
    writing.commit(business, messages);
  }

  @Override
  public void start() {
    background.run(this::readAll);
  }

  private void readAll() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement settings = connection.createStatement();
        PreparedStatement statement = connection.prepareStatement(PAGE)) {
      settings.execute(SETTINGS);
      List<LedgerMessage> page = page(statement, 0);
      while (!page.isEmpty()) {
        page.forEach(read -> receiver.receive(NumberedMessage.numberOf(read.message().payload())));
        page = page(statement, page.get(page.size() - 1).position());
      }
    }
  }

  private static List<LedgerMessage> page(PreparedStatement statement, long above)
      throws SQLException {
    statement.setLong(1, above);
    List<LedgerMessage> page = new ArrayList<>(PAGE_MESSAGES);
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        page.add(new LedgerMessage(row.getLong(1), message(row)));
      }
    }
    return page;
  }

  private static Message message(ResultSet row) throws SQLException {
    return new Message(
        row.getObject(3, UUID.class),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getInt(4),
        row.getBytes(8),
        Map.of(),
        row.getObject(2, OffsetDateTime.class).toInstant());
  }

  @Override
  public boolean isSettled() {
    return true;
  }

  @Override
  public void close() {
    background.close();
    writing.close();
  }
}
