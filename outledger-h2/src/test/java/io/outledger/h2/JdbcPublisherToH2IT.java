// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.contracts.CarriedFixture;
import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Await;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** The other database may be of another kind. */
final class JdbcPublisherToH2IT extends PublisherContract {

  /** Returns a data source that has connections or, while it is away, has none. */
  private static DataSource behind(AtomicBoolean isAway, DataSource direct) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (isAway.get()) {
                throw new SQLException("the line is cut", "08001");
              }
              return method.invoke(direct, arguments);
            });
  }

  @Override
  protected PublisherFixture openFixture() {
    String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    JdbcDataSource direct = new JdbcDataSource();
    direct.setURL(url);
    direct.setUser("sa");
    AtomicBoolean isAway = new AtomicBoolean();
    Schema.of(direct).apply(direct);
    CarriedFixture.execute(direct, CarriedFixture.TABLE);
    return new CarriedFixture(
        direct,
        behind(isAway, direct),
        new CarriedFixture.Line() {
          @Override
          public void takeAway() {
            isAway.set(true);
          }

          @Override
          public void bringBack() {
            isAway.set(false);
          }

          @Override
          public void close() {
            CarriedFixture.execute(direct, "SHUTDOWN");
          }
        },
        carried ->
            Await.until("messages are carried", Duration.ofSeconds(30), carried::getAsBoolean));
  }
}
