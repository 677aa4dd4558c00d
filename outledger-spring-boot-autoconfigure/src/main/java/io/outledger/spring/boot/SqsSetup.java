// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.publish.Publisher;
import io.outledger.receive.BrokerReceiver;
import io.outledger.sqs.SqsPublisher;
import io.outledger.sqs.SqsReceiver;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Amazon SQS, through the application's client or one that properties of Outledger describe. */
final class SqsSetup implements ReceivingBroker {

  private final BrokerSources sources;

  SqsSetup(BrokerSources sources) {
    this.sources = sources;
  }

  @Override
  public Publisher publisher(PublisherProperties properties, String path) {
    PublisherProperties.Sqs own = Objects.requireNonNull(properties.sqs());
    return SqsPublisher.with(client(path, own.region(), own.endpoint()))
        .source(properties.source())
        .queues(Naming.of(path + ".queue", own.queue()));
  }

  @Override
  public BrokerReceiver<?> receiver(
      Supplier<String> consumer, ReceiverProperties properties, String path) {
    ReceiverProperties.Sqs own = Objects.requireNonNull(properties.sqs());
    String queue = Required.text(path, "queue", own.queue());
    SqsReceiver receiver =
        SqsReceiver.from(client(path, own.region(), own.endpoint()), queue)
            .visibility(own.visibility());
    String origin = properties.origin();
    return origin == null ? receiver : receiver.origin(origin);
  }

  private SqsAsyncClient client(String path, @Nullable String region, @Nullable String endpoint) {
    return AwsSettings.client(
        sources,
        SqsAsyncClient.class,
        SqsAsyncClient::builder,
        new AwsSettings.AwsProperties(path, region, endpoint));
  }
}
