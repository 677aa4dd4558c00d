// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.contracts.CarriedFixture;
import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.Postgres;
import io.outledger.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.ds.PGSimpleDataSource;

/** On a server of its own, which is killed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JdbcPublisherContractIT extends PublisherContract {

  private static final int CONNECT_SECONDS_MAX = 10;

  private final Postgres server = Postgres.start();
  private final String database = server.createDatabase();
  private final PGSimpleDataSource direct = dataSource(server.port());

  JdbcPublisherContractIT() {
    PostgreSql.schema().apply(direct);
    CarriedFixture.execute(direct, CarriedFixture.TABLE);
  }

  @AfterAll
  void close() {
    server.close();
  }

  private PGSimpleDataSource dataSource(int port) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl("jdbc:postgresql://127.0.0.1:" + port + "/" + database);
    source.setUser(server.user());
    source.setPassword(server.password());
    source.setLoginTimeout(CONNECT_SECONDS_MAX); // how long connecting takes is its own affair
    return source;
  }

  @Override
  protected PublisherFixture openFixture() {
    CarriedFixture.execute(direct, "TRUNCATE outledger_inbox, carried");
    Line line = new Line(server);
    return new CarriedFixture(direct, dataSource(line.proxy.port()), line, new Patience());
  }

  private static final class Line implements CarriedFixture.Line {

    private final Postgres server;
    private final TcpProxy proxy;

    private Line(Postgres server) {
      this.server = server;
      this.proxy = TcpProxy.before(server.port());
    }

    @Override
    public void takeAway() {
      proxy.refuse();
    }

    @Override
    public void loseAnswers() {
      proxy.swallowReplies();
    }

    @Override
    public void bringBack() {
      proxy.pass();
    }

    @Override
    public void crash() {
      server.kill();
      server.restart();
    }

    @Override
    public void close() {
      proxy.close();
    }
  }

  private static final class Patience implements CarriedFixture.Waiting {

    @Override
    public void until(BooleanSupplier condition) {
      Await.until("messages are carried", Duration.ofSeconds(30), condition::getAsBoolean);
    }

    @Override
    public List<String> logOf(Runnable work) {
      return CapturedLog.during(work);
    }
  }
}
