// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A publisher that refuses three in ten messages at random, so that there are messages to be tried
 * again and dead letters. It takes one message of a key at a time: no later one can overtake.
 */
record RefusingPublisher(Publisher publisher, RandomGenerator random) implements Publisher {

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.ONE_AT_A_TIME;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new RefusingClient(publisher.open(deliveryTimeMax, outcomes), outcomes, random);
  }

  private record RefusingClient(PublisherClient client, Outcomes outcomes, RandomGenerator random)
      implements PublisherClient {

    @Override
    public void publish(long position, int attempt, Message message) {
      if (random.nextInt(10) < 3) {
        outcomes.report(position, Outcome.rejected("not today"));
      } else {
        client.publish(position, attempt, message);
      }
    }

    @Override
    public void flush() {
      client.flush();
    }

    @Override
    public Set<Long> recall() {
      return client.recall();
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
