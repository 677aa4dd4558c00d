// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.publish.Publisher;
import io.outledger.sqs.SnsPublisher;
import java.util.Objects;
import software.amazon.awssdk.services.sns.SnsAsyncClient;

/** Amazon SNS, through the application's client or one that properties of Outledger describe. */
final class SnsSetup implements Broker {

  private final BrokerSources sources;

  SnsSetup(BrokerSources sources) {
    this.sources = sources;
  }

  @Override
  public Publisher publisher(PublisherProperties properties, String path) {
    PublisherProperties.Sns own = Objects.requireNonNull(properties.sns());
    String arn = Required.text(path, "topic-arn", own.topicArn());
    return SnsPublisher.with(client(path, own), Naming.of(path + ".topic-arn", arn))
        .source(properties.source());
  }

  private SnsAsyncClient client(String path, PublisherProperties.Sns own) {
    return AwsSettings.client(
        sources,
        SnsAsyncClient.class,
        SnsAsyncClient::builder,
        new AwsSettings.AwsProperties(path, own.region(), own.endpoint()));
  }
}
