// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import io.outledger.servers.Ports;
import io.outledger.servers.TlsCertificate;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MailClientIT {

  private static final Message MESSAGE = Message.to("mails", "order.placed").build();
  private static final Duration SHORT = Duration.ofMillis(500);

  private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
  private final Outcomes told = (position, outcome) -> outcomes.add(outcome);

  private PublisherClient open(MailServer server) {
    return publisher(server).open(Duration.ofSeconds(10), told);
  }

  private static MailPublisher publisher(MailServer server) {
    return MailPublisher.through(
        server,
        MailAddress.of("shop@example.org"),
        message -> Mail.to("ada@example.org").subject("news").text(message.type()));
  }

  private Outcome outcome(PublisherClient client) throws InterruptedException {
    client.publish(1, 1, MESSAGE);
    Outcome outcome = outcomes.poll(30, TimeUnit.SECONDS);
    assertThat(outcome).isNotNull();
    return outcome;
  }

  private static boolean isFateKnown(Outcome outcome) {
    return ((Outcome.Unavailable) outcome).isFateKnown();
  }

  private static String reason(Outcome outcome) {
    return outcome instanceof Outcome.Rejected rejected
        ? rejected.reason()
        : ((Outcome.Unavailable) outcome).reason();
  }

  @ParameterizedTest
  @CsvSource({
    "RCPT, 550 5.1.1 no such user, DEFINITE",
    "RCPT, 450 4.2.1 busy, SUSPECT",
    "MAIL, 550 not your address, SUSPECT",
    ".,    554 looks like spam, DEFINITE",
    ".,    451 local error, SUSPECT"
  })
  void mailThatIsRefusedIsAFailedAttemptAndTheNextOneIsSent(
      String command, String answer, Outcome.Rejected.Kind kind) throws Exception {
    try (OddMailServer odd = new OddMailServer().answering(command, answer);
        PublisherClient client = open(odd.server())) {
      Outcome outcome = outcome(client);
      assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
      assertThat(((Outcome.Rejected) outcome).kind()).isEqualTo(kind);
      assertThat(reason(outcome)).contains(answer);
      odd.answering(command, command.equals("DATA") ? "354 go on" : "250 ok");
      assertThat(outcome(client)).isEqualTo(Outcome.PUBLISHED);
      assertThat(odd.connections()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CONNECT, 554 no",
    "CONNECT, 421 too busy",
    "MAIL, 421 shutting down",
    "MAIL, 452 4.3.1 no room",
    "MAIL, 530 5.7.0 log in first"
  })
  void serverThatTakesNothingIsToBlameAndNoMail(String command, String answer) throws Exception {
    try (OddMailServer odd = new OddMailServer().answering(command, answer);
        PublisherClient client = open(odd.server())) {
      Outcome outcome = outcome(client);
      assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
      assertThat(isFateKnown(outcome)).isTrue();
      assertThat(reason(outcome))
          .contains("mail server 127.0.0.1")
          .contains(answer.substring(0, 3));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONNECT", "EHLO", "MAIL", "RCPT", "DATA"})
  void connectionThatEndsBeforeTheMailLeavesNoDoubt(String command) throws Exception {
    try (OddMailServer odd = new OddMailServer().answering(command, OddMailServer.CLOSE);
        PublisherClient client = open(odd.server())) {
      assertThat(isFateKnown(outcome(client))).isTrue();
      assertThat(odd.mails()).isEmpty();
    }
  }

  @Test
  void answerToTheMailThatIsLostLeavesItsFateUnknown() throws Exception {
    try (OddMailServer odd = new OddMailServer().answering(".", OddMailServer.CLOSE);
        PublisherClient client = open(odd.server())) {
      assertThat(isFateKnown(outcome(client))).isFalse();
      assertThat(odd.mails()).hasSize(1);
    }
  }

  /** Else it would be sent again and again, and everything would wait behind it. */
  @ParameterizedTest
  @ValueSource(strings = {OddMailServer.SILENCE, OddMailServer.DRIP})
  void mailThatIsAnsweredTooLateIsUnansweredAndTheNextOneIsSent(String late) throws Exception {
    try (OddMailServer odd = new OddMailServer().answering(".", late);
        PublisherClient client = open(odd.server().timeout(Duration.ofMillis(1_500)))) {
      Outcome outcome = outcome(client);
      assertThat(((Outcome.Unavailable) outcome).kind())
          .isEqualTo(Outcome.Unavailable.Kind.UNANSWERED);
      assertThat(reason(outcome)).contains("1500 ms", "timeout", "lease");
      assertThat(odd.mails()).hasSize(1);
      odd.answering(".", "250 ok");
      assertThat(outcome(client)).isEqualTo(Outcome.PUBLISHED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONNECT", "EHLO", "MAIL", "RCPT", "DATA"})
  void serverThatDripsOrSaysNothingIsNotWaitedFor(String command) throws Exception {
    for (String odd : new String[] {OddMailServer.SILENCE, OddMailServer.DRIP}) {
      try (OddMailServer server = new OddMailServer().answering(command, odd);
          PublisherClient client = open(server.server().timeout(SHORT))) {
        assertThat(isFateKnown(outcome(client))).isTrue();
      }
    }
  }

  @Test
  void connectionThatTheServerHasEndedMeanwhileIsNoOutage() throws Exception {
    try (OddMailServer odd = new OddMailServer();
        PublisherClient client = open(odd.server())) {
      assertThat(outcome(client)).isEqualTo(Outcome.PUBLISHED);
      assertThat(outcome(client)).isEqualTo(Outcome.PUBLISHED);
      assertThat(odd.connections()).isEqualTo(1);
      odd.endConnections();
      assertThat(outcome(client)).isEqualTo(Outcome.PUBLISHED);
      assertThat(odd.connections()).isEqualTo(2);
      assertThat(odd.mails()).hasSize(3);
    }
  }

  @Test
  void mailThatIsLargerThanTheServerTakesIsNotSent() throws Exception {
    try (OddMailServer odd = new OddMailServer().answering("EHLO", "250-odd\r\n250 SIZE 100");
        PublisherClient client = open(odd.server())) {
      Outcome outcome = outcome(client);
      assertThat(((Outcome.Rejected) outcome).kind()).isEqualTo(Outcome.Rejected.Kind.DEFINITE);
      assertThat(reason(outcome)).contains("the limit is 100");
      assertThat(odd.commands()).noneMatch(command -> command.startsWith("MAIL"));
    }
  }

  @Test
  void mailThatIsLargerThanAllowedIsNotEvenConnectedFor() throws Exception {
    Message large = Message.to("mails", "x".repeat(200)).build();
    try (OddMailServer odd = new OddMailServer();
        PublisherClient client =
            MailPublisher.through(
                    odd.server(),
                    MailAddress.of("shop@example.org"),
                    message -> Mail.to("ada@example.org").text(message.type().repeat(10)))
                .mailBytesMax(1_000)
                .open(Duration.ofSeconds(10), told)) {
      client.publish(1, 1, large);
      Outcome outcome = outcomes.poll(30, TimeUnit.SECONDS);
      assertThat(reason(outcome)).contains("the limit is 1000");
      assertThat(odd.connections()).isZero();
    }
  }

  @Test
  void mapperThatFailsIsSuspectedAndAnAddressThatIsNoneIsRefusedForGood() throws Exception {
    MailAddress from = MailAddress.of("shop@example.org");
    try (OddMailServer odd = new OddMailServer();
        PublisherClient failing =
            MailPublisher.through(
                    odd.server(),
                    from,
                    message -> {
                      throw new IllegalStateException("no such order");
                    })
                .open(Duration.ofSeconds(10), told);
        PublisherClient naming =
            MailPublisher.through(odd.server(), from, message -> Mail.to("ada@x\r\nDATA"))
                .open(Duration.ofSeconds(10), told)) {
      assertThat(((Outcome.Rejected) outcome(failing)).kind())
          .isEqualTo(Outcome.Rejected.Kind.SUSPECT);
      assertThat(((Outcome.Rejected) outcome(naming)).kind())
          .isEqualTo(Outcome.Rejected.Kind.FINAL);
      assertThat(odd.connections()).isZero();
    }
  }

  @Test
  void serverWithoutEncryptionGetsNothingWhereItIsAskedFor() throws Exception {
    try (OddMailServer odd = new OddMailServer();
        PublisherClient client =
            open(MailServer.startTls("127.0.0.1", odd.port()).login("ada", "s3cret"))) {
      Outcome outcome = outcome(client);
      assertThat(isFateKnown(outcome)).isTrue();
      assertThat(reason(outcome)).contains("STARTTLS").doesNotContain("s3cret");
      assertThat(odd.commands()).noneMatch(command -> command.matches("(MAIL|AUTH).*"));
    }
  }

  @Test
  void certificateIsCheckedForItsAuthorityAndItsName() throws Exception {
    TlsCertificate ours = TlsCertificate.ofLoopback();
    TlsCertificate others = TlsCertificate.ofHost("mail.example.org");
    try (OddMailServer odd = new OddMailServer(ours.context());
        OddMailServer other = new OddMailServer(others.context());
        PublisherClient unknown = open(MailServer.startTls("127.0.0.1", odd.port()));
        PublisherClient misnamed =
            open(MailServer.startTls("127.0.0.1", other.port()).sslContext(others.context()));
        PublisherClient right =
            open(MailServer.startTls("127.0.0.1", odd.port()).sslContext(ours.context()))) {
      assertThat(isFateKnown(outcome(unknown))).isTrue();
      assertThat(isFateKnown(outcome(misnamed))).isTrue();
      assertThat(outcome(right)).isEqualTo(Outcome.PUBLISHED);
      assertThat(other.mails()).isEmpty();
    }
  }

  @Test
  void userLogsInAndAWrongPasswordIsNoMailsFault() throws Exception {
    GreenMail server = new GreenMail(ServerSetup.SMTP.dynamicPort());
    server.start();
    server.setUser("ada@example.org", "ada", "s3cret");
    MailServer right = MailServer.unencrypted("127.0.0.1", server.getSmtp().getPort());
    try (PublisherClient in = open(right.login("ada", "s3cret"));
        PublisherClient out = open(right.login("ada", "guessed"))) {
      assertThat(outcome(in)).isEqualTo(Outcome.PUBLISHED);
      Outcome outcome = outcome(out);
      assertThat(isFateKnown(outcome)).isTrue();
      assertThat(reason(outcome)).contains("log in").doesNotContain("guessed");
    } finally {
      server.stop();
    }
  }

  @Test
  void addressWithoutAServerIsAnOutage() throws Exception {
    try (PublisherClient nobody = open(MailServer.unencrypted("127.0.0.1", Ports.free()));
        PublisherClient unknown = open(MailServer.unencrypted("no-such-host.invalid", 25))) {
      assertThat(isFateKnown(outcome(nobody))).isTrue();
      assertThat(isFateKnown(outcome(unknown))).isTrue();
    }
  }
}
