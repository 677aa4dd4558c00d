// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A subscription that is made where others have read gets what they have read, too. */
class LateSubscriptionIT {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String MADE = "subscription mails did not exist; created it, starting at ";

  @Test
  void oldMessagesThatOthersHaveReadAreTold() {
    assertThat(logOf(true, Start.EARLIEST))
        .anyMatch(
            line ->
                line.startsWith("WARN")
                    && line.contains(MADE + "the earliest message: it also gets the messages from")
                    && line.contains("skip to Start.NOW"));
  }

  @Test
  void aStartAtNewMessagesIsNoWarning() {
    assertThat(logOf(true, Start.NOW))
        .anyMatch(line -> line.startsWith("INFO") && line.contains(MADE + "what is committed"))
        .noneMatch(line -> line.startsWith("WARN") && line.contains(MADE));
  }

  @Test
  void messagesThatHaveWaitedForTheFirstAreNoWarning() {
    assertThat(logOf(false, Start.EARLIEST))
        .anyMatch(line -> line.startsWith("INFO") && line.contains(MADE + "the earliest message"))
        .noneMatch(line -> line.startsWith("WARN") && line.contains(MADE));
  }

  private static List<String> logOf(boolean isReadBefore, Start start) {
    return CapturedLog.during(
        () -> {
          try (TestH2 database = TestH2.create();
              Outledger outledger = Outledger.builder(database.dataSource()).build()) {
            append(outledger);
            if (isReadBefore) {
              publish(outledger, "orders", Start.EARLIEST, 1);
            }
            publish(outledger, "mails", start, start.equals(Start.NOW) ? 0 : 1);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static void append(Outledger outledger) {
    Message message = Message.to("orders", "placed").key("a").payload(new byte[1]).build();
    outledger.transactions().run(connection -> outledger.outbox().append(connection, message));
  }

  /** Publishes old messages, as many as are meant. */
  private static void publish(Outledger outledger, String subscription, Start start, int old) {
    RecordingPublisher publisher = new RecordingPublisher();
    try (RunningRelay relay = outledger.relay(subscription).from(start).to(publisher).start()) {
      assertThat(relay).isNotNull();
      Await.until(
          "its cursor is there",
          SOON,
          () ->
              outledger.admin().subscriptions().stream()
                  .anyMatch(each -> each.name().equals(subscription)));
      Await.until("old ones are published", SOON, () -> publisher.arrivals().size() == old);
    }
  }
}
