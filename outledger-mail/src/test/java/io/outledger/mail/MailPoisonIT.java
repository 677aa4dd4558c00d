// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.PoisonTrial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mail at whose content a server ends the conversation each time, as if it were going away. */
final class MailPoisonIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(10);
  private static final String POISON = "poison";

  private static Message message(String key) {
    return Message.to("mails", "order.placed").key(key).build();
  }

  private static MailPublisher publisher(MailServer server) {
    return MailPublisher.through(
        server,
        MailAddress.of("shop@example.org"),
        message -> Mail.to("ada@example.org").subject("news").text("about " + message.key()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "421 4.3.2 closing the connection",
        "451 4.3.0 the scanner failed",
        OddMailServer.CLOSE
      })
  void mailAtWhichTheServerClosesEachTimeIsParkedAndAllOthersArrive(String answer)
      throws Exception {
    Message poison = message(POISON);
    List<Message> all = new ArrayList<>(List.of(poison));
    IntStream.range(0, 30).forEach(i -> all.add(message("k" + i)));
    try (OddMailServer odd = new OddMailServer().answeringAndClosingAt("about " + POISON, answer);
        PoisonTrial trial = PoisonTrial.start(publisher(odd.server()), DELIVERY_TIME_MAX)) {
      trial.append(all);
      all.addAll(trial.awaitOnlyParked(poison, () -> message("another")));
      all.remove(poison);
      assertThat(all)
          .allSatisfy(
              each -> assertThat(odd.mails()).anyMatch(mail -> mail.contains("" + each.id())));
    }
  }
}
