// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.publish.Outcome;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings in the URL of a database: with these it works, and those are refused. */
class H2SettingsIT {

  private static final Duration SOON = Duration.ofSeconds(30);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MODE=REGULAR",
        "MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH",
        "MODE=MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
        "AUTOCOMMIT=OFF",
        "LOCK_MODE=1",
        "TIME ZONE=Asia/Kathmandu"
      })
  void messagesArePublishedParkedAndReceivedOnce(String settings) {
    assertPublishedParkedAndReceivedOnce(settings);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "MODE=LEGACY",
        "MODE=PostgreSQL",
        "MODE=MariaDB",
        "MODE=DB2",
        "MODE=HSQLDB",
        "CASE_INSENSITIVE_IDENTIFIERS=TRUE",
        "DATABASE_TO_UPPER=FALSE",
        "DATABASE_TO_LOWER=TRUE"
      })
  void soTheyAreWithOtherSettings(String settings) {
    assertPublishedParkedAndReceivedOnce(settings);
  }

  private static void assertPublishedParkedAndReceivedOnce(String settings) {
    JdbcDataSource dataSource = memory(settings);
    Schema.of(dataSource).apply(dataSource);
    RecordingPublisher publisher = new RecordingPublisher();
    publisher.rejectWhen(
        message -> "bad".equals(message.key()),
        new Outcome.Rejected("bad", Outcome.Rejected.Kind.DEFINITE));
    try (Outledger outledger = Outledger.builder(dataSource).build();
        RunningRelay relay = outledger.relay("s").to(publisher).start()) {
      append(outledger, "bad", "k", "K");
      Await.until("two are published", SOON, () -> publisher.messages("K").size() == 1);
      publisher.acceptAll();
      Await.until(
          "the dead letter is published",
          SOON,
          () ->
              outledger.parkedMessages("s").retryAll() >= 0
                  && publisher.messages("bad").size() == 1);
      assertThat(publisher.messages("k")).hasSize(1);
      assertThat(publisher.messages("k").get(0).headers()).containsEntry("name", "");
      assertThat(relay).isNotNull();
      assertThat(process(outledger, "id")).isEqualTo(InboxOutcome.PROCESSED);
      assertThat(process(outledger, "ID")).isEqualTo(InboxOutcome.PROCESSED);
      assertThat(process(outledger, "id")).isEqualTo(InboxOutcome.DUPLICATE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "MODE=Oracle, an empty string is null",
    "MODE=Derby, use one of the modes",
    "MODE=MSSQLServer, use one of the modes",
    "MODE=STRICT, use one of the modes",
    "LOCK_MODE=0, SET LOCK_MODE 3",
    "IGNORECASE=TRUE, SET IGNORECASE FALSE",
    "COLLATION=ENGLISH STRENGTH PRIMARY, SET COLLATION OFF",
    "COLLATION=ENGLISH STRENGTH SECONDARY, SET COLLATION OFF",
    "COLLATION=GERMAN, SET COLLATION OFF",
    "OLD_INFORMATION_SCHEMA=TRUE, remove it from the URL"
  })
  void whatCouldLoseMessagesOrFailsIsRefusedBeforeATableIsMade(String settings, String remedy) {
    JdbcDataSource dataSource = memory(settings);
    assertThatThrownBy(() -> H2.schema().apply(dataSource))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-020")
        .hasMessageContaining(remedy);
    assertThatThrownBy(() -> H2.schema().check(dataSource))
        .hasMessageStartingWith("OUT-020")
        .hasMessageContaining(remedy);
  }

  private static JdbcDataSource memory(String settings) {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;" + settings);
    dataSource.setUser("sa");
    return dataSource;
  }

  private static void append(Outledger outledger, String... keys) {
    outledger
        .transactions()
        .run(
            connection -> {
              for (String key : keys) {
                outledger
                    .outbox()
                    .append(
                        connection,
                        Message.to("orders", "placed")
                            .key(key)
                            .header("name", "")
                            .payload(key.getBytes(UTF_8))
                            .build());
              }
            });
  }

  private static InboxOutcome process(Outledger outledger, String id) {
    Received message =
        new Received("shop", id, "", null, "", 1, new byte[0], Map.of(), null, "", "");
    return outledger
        .transactions()
        .call(connection -> outledger.inbox("c").process(connection, message, () -> {}));
  }
}
