// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.relay.RunningRelay;
import io.outledger.testing.RecordingPublisher;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * An application that starts while its pool gives no connection. What it has is declared before it
 * appends or receives anything, so what cannot be declared does not start.
 */
abstract class FirstDeclarationContractTests extends RenamingContractTests {

  private volatile boolean isPoolEmpty;

  /** Returns a data source that can be without a connection for a while. */
  private DataSource pool() {
    return (DataSource)
        Proxy.newProxyInstance(
            FirstDeclarationContractTests.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (isPoolEmpty && method.getName().equals("getConnection")) {
                throw new SQLTransientConnectionException("the pool is empty", "08001");
              }
              try {
                return method.invoke(dataSource(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Outledger application() {
    return Outledger.builder(pool()).withoutRetention().build();
  }

  private static RelayBuilder relay(Outledger application) {
    return application.relay(SUBSCRIPTION).to(new RecordingPublisher());
  }

  private long declared() {
    return count("SELECT COUNT(*) FROM outledger_declaration");
  }

  @Test
  final void relayThatCannotDeclareDoesNotStart() {
    try (Outledger application = application()) {
      isPoolEmpty = true;
      assertCode(ErrorCode.STORE_UNAVAILABLE, () -> relay(application).start());
      isPoolEmpty = false;
      assertThat(declared()).isZero();
      try (RunningRelay started = relay(application).start()) {
        assertThat(started).isNotNull();
        assertThat(declared()).isPositive();
      }
    }
  }

  @Test
  final void handlerThatCannotDeclareIsNotMade() {
    try (Outledger application = application()) {
      isPoolEmpty = true;
      assertCode(
          ErrorCode.STORE_UNAVAILABLE, () -> application.inbox("stock").handler((c, m) -> {}));
      isPoolEmpty = false;
      assertThat(declared()).isZero();
      assertThat(application.inbox("stock").handler((c, m) -> {})).isNotNull();
      assertThat(declared()).isPositive();
    }
  }

  /** Its messages are those of the new name, so it has nothing to declare: it is refused alone. */
  @Test
  final void relayWhoseSubscriptionWasRenamedKeepsNothingElseFromStarting() {
    owner().release();
    assertThat(rename(SUBSCRIPTION, NEW).state()).isEqualTo(RequestState.DONE);
    try (Outledger application = application();
        RunningRelay refused = relay(application).start()) {
      assertThat(refused).isNotNull();
    }
    assertThat(subscriptions(SUBSCRIPTION)).isZero();
  }
}
