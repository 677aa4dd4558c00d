// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.event.Events;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.StepReport;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import io.outledger.testing.RecordingPublisher;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What a new user's program gets wrong where several modules meet: each has a code, whose remedy
 * docs/errors.md has, and says what to do. The PostgreSQL module tries what one module sees.
 */
class NewUsersBadInputsIT {

  private static final Message MESSAGE = Message.to("orders", "placed").key("k").build();

  private final PGSimpleDataSource database = new PGSimpleDataSource();

  NewUsersBadInputsIT() {
    database.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    Schema.of(database).apply(database);
  }

  @Test
  void payloadJustUnderOurLimitAndOverThatOfKafkaIsADeadLetterThatSaysWhatToRaise()
      throws InterruptedException {
    KafkaBroker.shared().createTopic("large", 1, Map.of());
    String servers = KafkaBroker.shared().bootstrapServers();
    try (Outledger outledger = Outledger.builder(database).build();
        Relay relay =
            outledger
                .relay("kafka")
                .to(KafkaPublisher.with(Map.of("bootstrap.servers", servers)))
                .options(o -> o.retry(RetryPolicy.DEFAULT.withAttemptsMax(1)))
                .build()) {
      byte[] payload = new byte[Events.PAYLOAD_BYTES_MAX];
      outledger
          .outbox()
          .inNewTransaction(Message.to("large", "placed").key("k").payload(payload).build());
      relay.drain(Duration.ofSeconds(60));

      List<Parked> dead =
          outledger.admin().parked(ParkedQuery.of(Reader.subscription("kafka"))).rows();
      assertThat(dead).hasSize(1);
      assertThat(dead.get(0).error())
          .contains("OUT-013: raise max.request.size of the publisher and max.message.bytes");
    }
  }

  @Test
  void payloadOverOurLimitIsRefusedBeforeAnythingIsWritten() {
    try (Outledger outledger = Outledger.builder(database).build()) {
      byte[] payload = new byte[Events.PAYLOAD_BYTES_MAX + 1];
      fails(
          () ->
              outledger
                  .outbox()
                  .inNewTransaction(Message.to("t", "t").key("k").payload(payload).build()),
          ErrorCode.PAYLOAD_TOO_LARGE,
          "raise payloadBytesMax");
    }
  }

  @Test
  void poolOfOneThatARelayHoldsLeavesNoneForTheApplication() {
    DataSource pool = poolOfOne();
    try (Outledger outledger = Outledger.builder(pool).withoutRetention().build();
        RunningRelay running = outledger.relay("r").to(new RecordingPublisher()).start()) {
      Await.until(
          "a relay that owns",
          Duration.ofSeconds(30),
          () -> running.state() == StepReport.State.OWNER);
      fails(
          () -> outledger.outbox().inNewTransaction(MESSAGE),
          ErrorCode.STORE_UNAVAILABLE,
          "give it one for each relay, handler thread and request");
    }
  }

  @Test
  void misspeltSettingOfKafkaNamesTheOneThatWasMeant() {
    fails(
        () -> KafkaPublisher.with(Map.of("bootstrap.server", "localhost:9092")),
        ErrorCode.INVALID_CONFIGURATION,
        "bootstrap.servers is missing",
        "Kafka has no setting bootstrap.server; did you mean bootstrap.servers?");
  }

  @Test
  void closedOutledgerSaysSoWhateverIsAskedOfIt() {
    Outledger outledger = Outledger.builder(database).build();
    outledger.close();
    fails(() -> outledger.relay("r"), ErrorCode.CLOSED, "create a relay");
    fails(() -> outledger.outbox().inNewTransaction(MESSAGE), ErrorCode.CLOSED, "closed");
  }

  private static void fails(ThrowingCallable mistake, ErrorCode code, String... texts) {
    assertThatThrownBy(mistake)
        .isInstanceOfSatisfying(OutledgerException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContainingAll(texts);
  }

  /** Returns a pool of one connection that waits for nobody. */
  private DataSource poolOfOne() {
    Semaphore one = new Semaphore(1);
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          if (!method.getName().equals("getConnection")) {
            return call(method, database, arguments);
          }
          if (!one.tryAcquire()) {
            throw new SQLTransientConnectionException("Connection is not available, total=1");
          }
          return pooled(database.getConnection(), one);
        });
  }

  private static Connection pooled(Connection connection, Semaphore one) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          if (method.getName().equals("close") && !connection.isClosed()) {
            one.release();
          }
          return call(method, connection, arguments);
        });
  }

  /** What is done in place of a method. */
  private interface Intercepted {
    @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Intercepted call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call.call(method, arguments)));
  }

  private static @Nullable Object call(
      Method method, Object on, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
