// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.contracts.CarriedFixture;
import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.servers.TcpProxy;
import java.time.Duration;

final class JdbcPublisherContractIT extends PublisherContract {

  private static final TestDatabase DATABASE = TestDatabase.create();

  static {
    DATABASE.execute(CarriedFixture.TABLE);
  }

  @Override
  protected PublisherFixture openFixture() {
    DATABASE.execute("TRUNCATE outledger_inbox, carried");
    TcpProxy proxy = TcpProxy.before(Postgres.shared().port());
    return new CarriedFixture(
        DATABASE.dataSource(),
        DATABASE.dataSource(proxy.port()),
        new CarriedFixture.Line() {
          @Override
          public void takeAway() {
            proxy.refuse();
          }

          @Override
          public void bringBack() {
            proxy.pass();
          }

          @Override
          public void close() {
            proxy.close();
          }
        },
        carried ->
            Await.until("messages are carried", Duration.ofSeconds(30), carried::getAsBoolean));
  }
}
