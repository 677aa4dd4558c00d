// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.contracts.CarriedFixture;
import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.h2.jdbcx.JdbcDataSource;

/** The other database may be of another kind. */
final class JdbcPublisherToH2IT extends PublisherContract {

  @Override
  protected PublisherFixture openFixture() {
    JdbcDataSource direct = new JdbcDataSource();
    direct.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    direct.setUser("sa");
    Schema.of(direct).apply(direct);
    CarriedFixture.execute(direct, CarriedFixture.TABLE);
    FaultyH2 line = new FaultyH2(direct);
    return new CarriedFixture(direct, line.dataSource(), line, new Patience());
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
