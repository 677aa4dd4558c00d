// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.messaging;

import io.outledger.examples.Settings;
import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.sqs.SqsPublisher;
import io.outledger.sqs.SqsReceiver;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Amazon SQS: a message's topic is a FIFO queue, and its key is the message group. */
record SqsMessaging(Settings settings) implements Messaging {

  private static final Duration VISIBILITY = Duration.ofSeconds(5);

  @Override
  public Publisher publisher(String source) {
    return SqsPublisher.with(client()).queues(topic -> topic + ".fifo").source(source);
  }

  /** What a service had when it was killed comes again when its time is over. */
  @Override
  public RunningReceiver receive(String topic, String consumer, BatchHandler handler) {
    return SqsReceiver.from(client(), topic + ".fifo").visibility(VISIBILITY).start(handler);
  }

  /** The server of the demo asks nobody who he is. */
  private SqsAsyncClient client() {
    return SqsAsyncClient.builder()
        .endpointOverride(URI.create(settings.text("sqs.endpoint")))
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
        .build();
  }
}
