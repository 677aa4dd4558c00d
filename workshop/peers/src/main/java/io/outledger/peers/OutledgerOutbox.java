// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.Message;
import io.outledger.benchmarks.AnswersAtOnce;
import io.outledger.jdbc.Outledger;
import io.outledger.postgresql.PostgreSql;
import io.outledger.publish.Outcome;
import io.outledger.relay.listener.RelayEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Outledger, as it comes. */
final class OutledgerOutbox implements Application {

  private final Site site;
  private final boolean isJoined;
  private final HikariDataSource pool;
  private final Outledger outledger;
  private final AtomicLong published = new AtomicLong();
  private final AtomicLong saved = new AtomicLong();

  private OutledgerOutbox(Site site, boolean isJoined) {
    this.isJoined = isJoined;
    this.site = site;
    this.pool = site.pool(Site.CONNECTIONS_DEFAULT);
    this.outledger = Outledger.builder(pool).relayDataSource(site.dataSource()).build();
  }

  static Application open(Site site) {
    PostgreSql.schema().apply(site.dataSource());
    return new OutledgerOutbox(site, false);
  }

  /** One that appends in transactions which the application begins and commits. */
  static Application openJoined(Site site) {
    PostgreSql.schema().apply(site.dataSource());
    return new OutledgerOutbox(site, true);
  }

  @Override
  public void commit(Business business, List<NumberedMessage> messages) throws Exception {
    if (isJoined) {
      commitJoined(business, messages);
    } else {
      outledger.transactions().run(connection -> write(connection, business, messages));
    }
  }

  private void commitJoined(Business business, List<NumberedMessage> messages) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      write(connection, business, messages);
      connection.commit();
    }
  }

  private void write(Connection connection, Business business, List<NumberedMessage> messages)
      throws SQLException {
    business.run(connection);
    outledger.outbox().append(connection, messages.stream().map(OutledgerOutbox::message).toList());
  }

  private static Message message(NumberedMessage message) {
    return Message.to("orders", "order.placed")
        .key(message.key())
        .payload(message.payloadBytes())
        .build();
  }

  @Override
  public void start() {
    outledger.relay(site.reader()).to(new AnswersAtOnce(this::count)).listener(this::note).start();
  }

  private void note(RelayEvent event) {
    if (event instanceof RelayEvent.Saved save) {
      saved.addAndGet(save.published());
    }
  }

  @Override
  public boolean isSettled() {
    return saved.get() >= published.get();
  }

  @Override
  public void close() {
    outledger.close();
    pool.close();
  }

  private Outcome count(long position, Message message) {
    site.receiver().receive(NumberedMessage.numberOf(message.payload()));
    published.incrementAndGet();
    return Outcome.PUBLISHED;
  }
}
