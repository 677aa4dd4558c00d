// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;

/** A client of AWS, by properties of Outledger; credentials are found as AWS's SDK finds them. */
final class AwsSettings {

  /**
   * Where AWS is, as properties below a path say.
   *
   * @param region null for what AWS's SDK finds
   * @param endpoint null for AWS's own
   */
  record AwsProperties(String path, @Nullable String region, @Nullable String endpoint) {

    boolean isEmpty() {
      return region == null && endpoint == null;
    }
  }

  private AwsSettings() {}

  /**
   * Returns the application's client, or one that these properties describe, where there is one of
   * them; the latter is closed with the sources.
   */
  static <B extends AwsClientBuilder<B, C>, C extends AutoCloseable> C client(
      BrokerSources sources, Class<C> type, Supplier<B> builders, AwsProperties properties) {
    Optional<C> bean = properties.isEmpty() ? sources.bean(type) : Optional.empty();
    return bean.orElseGet(() -> sources.kept(client(builders.get(), properties)));
  }

  private static <B extends AwsClientBuilder<B, C>, C> C client(
      B builder, AwsProperties properties) {
    String path = properties.path();
    String region = properties.region();
    String endpoint = properties.endpoint();
    if (region != null) {
      builder.region(Region.of(region));
    }
    if (endpoint != null) {
      builder.endpointOverride(uri(path, endpoint));
    }
    try {
      return builder.build();
    } catch (SdkClientException e) {
      throw BrokerSources.invalid(
          path + ": AWS's client cannot be made: " + e.getMessage() + "; set " + path + ".region");
    }
  }

  private static URI uri(String path, String endpoint) {
    try {
      URI uri = new URI(endpoint);
      if (uri.getHost() != null && uri.getRawUserInfo() == null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // The same as one without a host.
    }
    throw BrokerSources.invalid(path + ".endpoint must be http://host:port or https://host");
  }
}
