// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.publish.Publisher;
import io.outledger.testing.RecordingPublisher;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** A destination in memory, which rejects one type. */
final class RecordingFixture implements PublisherFixture {

  private static final String UNACCEPTABLE = "unacceptable";

  private final RecordingPublisher publisher;
  private final Runnable end;

  RecordingFixture(RecordingPublisher publisher, Runnable end) {
    this.publisher = publisher;
    this.end = end;
    publisher.rejectWhen(
        message -> message.type().equals(UNACCEPTABLE),
        new Outcome.Rejected("of a type that is rejected", Outcome.Rejected.Kind.DEFINITE));
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return "orders";
  }

  @Override
  public List<Received> awaitArrivals(Collection<UUID> ids) {
    List<Message> messages = publisher.messages();
    assertThat(messages.stream().map(Message::id)).containsAll(ids);
    return messages.stream().map(message -> Received.of("memory", message)).toList();
  }

  @Override
  public void takeAway() {
    publisher.goDownAndRefuseClients();
  }

  @Override
  public void bringBack() {
    publisher.comeBack();
  }

  @Override
  public Message unacceptable(String key) {
    return Message.to(topic(), UNACCEPTABLE).key(key).build();
  }

  @Override
  public void close() {
    end.run();
    assertThat(publisher.openClients()).isZero();
  }
}
