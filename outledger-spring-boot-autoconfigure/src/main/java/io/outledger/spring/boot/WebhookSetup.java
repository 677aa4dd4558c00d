// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.publish.Publisher;
import io.outledger.webhook.WebhookEndpoint;
import io.outledger.webhook.WebhookPublisher;
import io.outledger.webhook.WebhookSecret;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Objects;

/** An HTTP endpoint, by properties of Outledger. */
final class WebhookSetup implements Broker {

  @Override
  public Publisher publisher(PublisherProperties properties, String path) {
    PublisherProperties.Webhook own = Objects.requireNonNull(properties.webhook());
    return WebhookPublisher.to(endpoint(path, own))
        .source(properties.source())
        .threads(own.threads());
  }

  private static WebhookEndpoint endpoint(String path, PublisherProperties.Webhook own) {
    URI uri = uri(path, Required.text(path, "url", own.url()));
    if (!own.ownNetwork() && !"https".equalsIgnoreCase(uri.getScheme())) {
      throw BrokerSources.invalid(
          path
              + ".url must begin with https://; for plain http in your own network, set "
              + path
              + ".own-network=true");
    }
    WebhookEndpoint endpoint =
        (own.ownNetwork() ? WebhookEndpoint.inOwnNetwork(uri) : WebhookEndpoint.at(uri))
            .timeout(own.timeout());
    if (!own.secrets().isEmpty()) {
      endpoint =
          endpoint.signedWith(
              own.secrets().stream().map(WebhookSecret::of).toArray(WebhookSecret[]::new));
    }
    for (Map.Entry<String, String> header : own.headers().entrySet()) {
      endpoint = endpoint.header(header.getKey(), header.getValue());
    }
    return own.binary() ? endpoint.binary() : endpoint;
  }

  private static URI uri(String path, String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      // Without its text, which quotes the address: a path may be secret.
      throw BrokerSources.invalid(path + ".url is not a URL");
    }
  }
}
