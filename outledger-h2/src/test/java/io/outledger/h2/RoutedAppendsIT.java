// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.StepReport;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A data source that routes leads to several ledgers, and an Outledger's relays read one. */
class RoutedAppendsIT {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Message MESSAGE = Message.to("beds", "bed.made").key("b-1").build();

  private final TestH2 home = TestH2.create();
  private final TestH2 tenant = TestH2.create();
  private TestH2 target = home;

  @AfterEach
  void close() throws Exception {
    home.close();
    tenant.close();
  }

  @Test
  void messagesForALedgerThatNobodyReadsAreToldOnce() {
    List<String> told =
        CapturedLog.during(
            () -> {
              try (Outledger outledger = routed()) {
                outledger.outbox().inNewTransaction(MESSAGE);
                target = tenant;
                outledger.outbox().inNewTransaction(MESSAGE);
                outledger.outbox().inNewTransaction(MESSAGE);
              }
            });
    assertThat(told).filteredOn(line -> line.contains("OUT-035")).hasSize(1);
    assertThat(told)
        .filteredOn(line -> line.contains("OUT-035"))
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("WARN")
                    .contains(address(home), address(tenant), "run a relay for each"));
  }

  @Test
  void aTargetWithARelayOfItsOwnIsNotTold() {
    List<String> told =
        CapturedLog.during(
            () -> {
              try (Outledger ofTenant = Outledger.builder(tenant.dataSource()).build();
                  RunningRelay relay =
                      ofTenant.relay("r").handlerWithoutTransaction("nothing", m -> {}).start();
                  Outledger outledger = routed()) {
                Await.until("the lease", SOON, () -> relay.state() == StepReport.State.OWNER);
                target = tenant;
                outledger.outbox().inNewTransaction(MESSAGE);
              }
            });
    assertThat(told).noneMatch(line -> line.contains("OUT-035"));
  }

  private static String address(TestH2 database) {
    try (var connection = database.connect()) {
      return connection.getMetaData().getURL();
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Outledger routed() {
    DataSource routing =
        (DataSource)
            Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.invoke(target.dataSource(), arguments));
    return Outledger.builder(routing).build();
  }
}
