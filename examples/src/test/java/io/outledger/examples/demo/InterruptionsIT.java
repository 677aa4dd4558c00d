// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.chaos.history.Entry;
import io.outledger.examples.RelayVoice;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Postgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** How much may be published again, as the demo counts it from outside. */
class InterruptionsIT {

  private static final int MESSAGES = 4;

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /** Takes messages and answers nothing, until it has this many: then the line is lost. */
  private static final class LostLine implements Publisher {
    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.PIPELINED;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      List<Long> taken = new ArrayList<>();
      return new PublisherClient() {
        @Override
        public void publish(long position, int attempt, Message message) {
          taken.add(position);
        }

        @Override
        public void flush() {
          taken.forEach(each -> outcomes.report(each, Outcome.unavailable("line lost")));
          taken.clear();
        }

        @Override
        public Set<Long> recall() {
          return Set.of();
        }

        @Override
        public void close() {}
      };
    }
  }

  private String next() throws InterruptedException {
    String line = lines.poll(30, TimeUnit.SECONDS);
    assertThat(line).isNotNull();
    return line;
  }

  private static long inFlight(Ledger ledger) throws SQLException {
    return ledger.interruptions().crashes(ledger.tables()).stream()
        .mapToLong(Entry.Crashed::inFlight)
        .sum();
  }

  @Test
  void allThatWasOnItsWayMayRepeatOnceTheLineWasLostAndOneMessageForEachProbe() throws Exception {
    Postgres server = Postgres.shared();
    String name = server.createDatabase();
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(server.jdbcUrl(name));
    Schema.of(source).apply(source);
    Outledger outledger = Outledger.builder(source).withoutRetention().build();
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      messages.add(Message.to("orders", "order.placed").key("k" + i).build());
    }
    outledger.outbox().inNewTransaction(messages);
    try (Ledger ledger = new Ledger(new Database(new PostgresDemoDatabase(server), name))) {
      RunningRelay relay =
          outledger
              .relay(Ledger.SUBSCRIPTION)
              .to(new LostLine())
              .listener(new RelayVoice(name, lines::add))
              .start();
      try {
        assertThat(next()).isEqualTo(RelayVoice.of(name, RelayVoice.PUBLISHING));
        ledger.heard("relay-1", next());
        assertThat(inFlight(ledger)).isEqualTo(MESSAGES);
        ledger.heard("relay-1", next());
        assertThat(inFlight(ledger)).isEqualTo(MESSAGES + 1);
      } finally {
        relay.close();
      }
    }
  }
}
