// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.benchmarks.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The outbox that is written by hand: a table, and a relay that locks the next page of unsent rows,
 * publishes them, and marks them as sent.
 */
final class TutorialRelay implements Application {

  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        key text NOT NULL,
        type text NOT NULL,
        payload text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        sent_at timestamptz);
      CREATE INDEX IF NOT EXISTS outbox_unsent ON outbox (id) WHERE sent_at IS NULL\
      """;

  private static final String INSERT =
      "INSERT INTO outbox (key, type, payload) VALUES (?, 'order.placed', ?)";

  private static final String PAGE =
      "SELECT id, key, type, payload FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT ?"
          + " FOR UPDATE SKIP LOCKED";

  private final Site site;
  private final Settings settings;
  private final HikariDataSource pool;
  private final Background background = new Background("relay");

  /**
   * How it is written.
   *
   * @param pageRows how many rows it locks at a time
   * @param isBatched whether one statement marks a page, and not one each row
   * @param pause between polls, when there is nothing to do
   */
  record Settings(int pageRows, boolean isBatched, Duration pause) implements ApplicationFactory {

    /** As it is found everywhere. */
    static final Settings EVERYWHERE = new Settings(100, false, Duration.ofSeconds(1));

    /** The same with larger pages, each marked by one statement. */
    static final Settings BATCHED = new Settings(1_000, true, Duration.ofMillis(20));

    @Override
    public Application open(Site site) throws SQLException {
      Sql.run(site.dataSource(), TABLE);
      return new TutorialRelay(site, this);
    }
  }

  private TutorialRelay(Site site, Settings settings) {
    this.site = site;
    this.settings = settings;
    this.pool = site.pool(Site.CONNECTIONS_DEFAULT);
  }

  @Override
  public void commit(Business business, List<NumberedMessage> messages) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      business.run(connection);
      insert(connection, messages);
      connection.commit();
    }
  }

  private static void insert(Connection connection, List<NumberedMessage> messages)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (NumberedMessage message : messages) {
        insert.setString(1, message.key());
        insert.setString(2, message.payload());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @Override
  public void start() {
    background.repeat(this::publishAll, settings.pause());
  }

  private void publishAll() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      while (!background.isClosed() && publishPage(connection) > 0) {
        connection.commit();
      }
      connection.rollback();
    }
  }

  private int publishPage(Connection connection) throws SQLException {
    List<Long> ids = new ArrayList<>();
    try (PreparedStatement page = connection.prepareStatement(PAGE)) {
      page.setInt(1, settings.pageRows());
      try (ResultSet row = page.executeQuery()) {
        while (row.next()) {
          site.receiver().receive(NumberedMessage.numberOf(row.getString(4)));
          ids.add(row.getLong(1));
        }
      }
    }
    if (settings.isBatched()) {
      markAll(connection, ids);
    } else {
      markEach(connection, ids);
    }
    return ids.size();
  }

  private static void markAll(Connection connection, List<Long> ids) throws SQLException {
    try (PreparedStatement mark =
        connection.prepareStatement("UPDATE outbox SET sent_at = now() WHERE id = ANY (?)")) {
      mark.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
      mark.executeUpdate();
    }
  }

  private static void markEach(Connection connection, List<Long> ids) throws SQLException {
    try (PreparedStatement mark =
        connection.prepareStatement("UPDATE outbox SET sent_at = now() WHERE id = ?")) {
      for (long id : ids) {
        mark.setLong(1, id);
        mark.executeUpdate();
      }
    }
  }

  @Override
  public boolean isSettled() throws SQLException {
    return Sql.isEmpty(pool, "SELECT 1 FROM outbox WHERE sent_at IS NULL");
  }

  @Override
  public void close() {
    background.close();
    pool.close();
  }
}
