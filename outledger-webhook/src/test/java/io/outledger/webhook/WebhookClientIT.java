// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookClientIT {

  private static final Message MESSAGE = Message.to("orders", "order.placed").build();

  private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
  private final Outcomes told = (position, outcome) -> outcomes.add(outcome);

  private PublisherClient open(WebhookPublisher publisher) {
    return publisher.open(Duration.ofSeconds(10), told);
  }

  private Outcome outcome(PublisherClient client, Message message) throws InterruptedException {
    client.publish(1, 1, message);
    Outcome outcome = outcomes.poll(30, TimeUnit.SECONDS);
    assertThat(outcome).isNotNull();
    return outcome;
  }

  private static WebhookPublisher to(OddEndpoint endpoint) {
    return WebhookPublisher.to(WebhookEndpoint.inOwnNetwork(endpoint.uri()));
  }

  private static Outcome.Rejected.Kind kind(Outcome outcome) {
    return ((Outcome.Rejected) outcome).kind();
  }

  @Test
  void redirectionIsNotFollowed() throws Exception {
    try (OddEndpoint own = OddEndpoint.answering(200);
        OddEndpoint odd = OddEndpoint.answering(307, "Location: " + own.uri());
        PublisherClient client = open(to(odd))) {
      Outcome outcome = outcome(client, MESSAGE);
      assertThat(kind(outcome)).isEqualTo(Outcome.Rejected.Kind.TOPIC);
      assertThat(((Outcome.Rejected) outcome).reason()).contains("redirections are not followed");
      assertThat(own.requests()).isZero();
    }
  }

  @Test
  void endpointThatIsGoneGetsNoFurtherRequest() throws Exception {
    try (OddEndpoint odd = OddEndpoint.answering(410);
        PublisherClient client = open(to(odd))) {
      assertThat(kind(outcome(client, MESSAGE))).isEqualTo(Outcome.Rejected.Kind.FINAL);
      assertThat(kind(outcome(client, MESSAGE))).isEqualTo(Outcome.Rejected.Kind.FINAL);
      assertThat(odd.requests()).isEqualTo(1);
    }
  }

  @Test
  void endpointThatAsksToBeLeftAloneIsLeftAlone() throws Exception {
    try (OddEndpoint odd = OddEndpoint.answering(503, "Retry-After: 3600");
        PublisherClient client = open(to(odd))) {
      assertThat(outcome(client, MESSAGE)).isInstanceOf(Outcome.Unavailable.class);
      assertThat(outcome(client, MESSAGE)).isInstanceOf(Outcome.Unavailable.class);
      assertThat(odd.requests()).isEqualTo(1);
    }
  }

  @Test
  void answerWithoutEndIsNotRead() throws Exception {
    String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    try (OddEndpoint odd = new OddEndpoint(head, "5\r\nhello\r\n");
        PublisherClient client = open(to(odd))) {
      assertThat(outcome(client, MESSAGE)).isEqualTo(Outcome.PUBLISHED);
    }
  }

  /** Each byte comes in time, and the answer never. */
  @Test
  void answerThatNeverComesToAnEndOfItsHeadersIsCutOff() throws Exception {
    try (OddEndpoint odd = new OddEndpoint("HTTP/1.1 200 OK\r\nX: ", "x");
        PublisherClient client =
            open(
                WebhookPublisher.to(
                    WebhookEndpoint.inOwnNetwork(odd.uri()).timeout(Duration.ofMillis(500))))) {
      assertThat(outcome(client, MESSAGE)).isNotInstanceOf(Outcome.Published.class);
    }
  }

  /** Else it would be posted again and again, and everything would wait behind it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void answerThatCannotBeReadIsAFailedAttempt(boolean isTooLong) throws Exception {
    String header = isTooLong ? "X: " + "x".repeat(9_000) : "not a header";
    try (OddEndpoint odd = OddEndpoint.answering(200, header);
        PublisherClient client = open(to(odd))) {
      Outcome outcome = outcome(client, MESSAGE);
      assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
      assertThat(kind(outcome)).isEqualTo(Outcome.Rejected.Kind.SUSPECT);
      assertThat(((Outcome.Rejected) outcome).reason()).contains("cannot be read");
    }
  }

  @Test
  void endpointThatCannotBeConnectedToIsAnOutageHoweverOften() throws Exception {
    OddEndpoint closed = OddEndpoint.answering(200);
    closed.close();
    WebhookPublisher publisher = to(closed);
    for (int i = 0; i < 6; i++) {
      try (PublisherClient client = open(publisher)) {
        assertThat(outcome(client, MESSAGE)).isInstanceOf(Outcome.Unavailable.class);
      }
    }
  }

  /** Whether the message or the endpoint is to blame, the relay finds out. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void requestThatIsAnsweredTooLateIsUnanswered(boolean isSole) throws Exception {
    try (OddEndpoint odd = OddEndpoint.falteringForEver()) {
      WebhookEndpoint slow =
          WebhookEndpoint.inOwnNetwork(odd.uri()).timeout(Duration.ofMillis(500));
      WebhookPublisher publisher =
          isSole
              ? WebhookPublisher.to(slow)
              : WebhookPublisher.byTopic().endpoint(MESSAGE.topic(), slow);
      try (PublisherClient client = open(publisher)) {
        Outcome outcome = outcome(client, MESSAGE);
        assertThat(outcome)
            .isInstanceOfSatisfying(
                Outcome.Unavailable.class,
                late -> {
                  assertThat(late.kind()).isEqualTo(Outcome.Unavailable.Kind.UNANSWERED);
                  assertThat(late.reason()).contains("500 ms", "timeout", "lease");
                });
      }
    }
  }

  @Test
  void requestThatIsCutOffBeforeItsAnswerHasAnUnknownFate() throws Exception {
    try (OddEndpoint odd = new OddEndpoint("", "");
        PublisherClient client = open(to(odd))) {
      Outcome outcome = outcome(client, MESSAGE);
      assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
      assertThat(((Outcome.Unavailable) outcome).isFateKnown()).isFalse();
    }
  }

  @Test
  void endpointOfTheOwnNetworkIsRefusedWhereAPublicOneIsConfigured() throws Exception {
    try (OddEndpoint odd = OddEndpoint.answering(200);
        PublisherClient client =
            open(
                WebhookPublisher.to(
                    WebhookEndpoint.at(
                        URI.create("https://localhost:" + odd.uri().getPort() + "/"))))) {
      Outcome outcome = outcome(client, MESSAGE);
      assertThat(kind(outcome)).isEqualTo(Outcome.Rejected.Kind.TOPIC);
      assertThat(((Outcome.Rejected) outcome).reason()).contains("which is not public");
      assertThat(odd.requests()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host",
        "Content-Length",
        "Transfer-Encoding",
        "Authorization",
        "webhook-id",
        "X-Forwarded-For",
        "If-None-Match",
        "X-HTTP-Method-Override",
        "Idempotency-Key"
      })
  void messageCannotSetWhatFramesSignsOrInstructsARequest(String header) throws Exception {
    try (OddEndpoint odd = OddEndpoint.answering(200);
        PublisherClient client =
            open(WebhookPublisher.to(WebhookEndpoint.inOwnNetwork(odd.uri()).binary()))) {
      Message message = Message.to("orders", "order.placed").header(header, "1").build();
      assertThat(kind(outcome(client, message))).isEqualTo(Outcome.Rejected.Kind.FINAL);
      assertThat(odd.requests()).isZero();
    }
  }

  @Test
  void endpointsByTopicFailByTopic() throws Exception {
    try (Receiving receiving = new Receiving();
        OddEndpoint odd = OddEndpoint.answering(503);
        PublisherClient client =
            open(
                WebhookPublisher.byTopic()
                    .source(Receiving.SOURCE)
                    .endpoint("bad", WebhookEndpoint.inOwnNetwork(odd.uri()))
                    .endpoint(
                        "good",
                        WebhookEndpoint.inOwnNetwork(receiving.uri("/"))
                            .signedWith(Receiving.SECRET)))) {
      assertThat(kind(outcome(client, Message.to("bad", "x").build())))
          .isEqualTo(Outcome.Rejected.Kind.TOPIC);
      assertThat(outcome(client, Message.to("good", "x").build())).isEqualTo(Outcome.PUBLISHED);
      Outcome unknown = outcome(client, Message.to("unknown", "x").build());
      assertThat(kind(unknown)).isEqualTo(Outcome.Rejected.Kind.TOPIC);
      assertThat(((Outcome.Rejected) unknown).reason()).contains("WebhookPublisher.endpoint");
    }
  }

  @Test
  void messageThatIsTooLargeForTheEndpointIsNotSent() throws IOException, InterruptedException {
    try (OddEndpoint odd = OddEndpoint.answering(200);
        PublisherClient client =
            open(
                WebhookPublisher.to(WebhookEndpoint.inOwnNetwork(odd.uri()).bodyBytesMax(1_000)))) {
      Message large = Message.to("orders", "x").payload(new byte[1_000]).build();
      assertThat(kind(outcome(client, large))).isEqualTo(Outcome.Rejected.Kind.DEFINITE);
      assertThat(odd.requests()).isZero();
    }
  }
}
