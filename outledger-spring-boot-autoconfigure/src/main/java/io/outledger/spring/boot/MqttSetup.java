// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.MqttClientSslConfig;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5SimpleAuth;
import io.outledger.mqtt.MqttBroker;
import io.outledger.mqtt.MqttPublisher;
import io.outledger.mqtt.MqttReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.BrokerReceiver;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** A broker of MQTT 5, by properties of Outledger. */
final class MqttSetup implements ReceivingBroker {

  private static final Map<String, Integer> PORTS = Map.of("mqtt", 1883, "mqtts", 8883);

  private final BrokerSources sources;

  MqttSetup(BrokerSources sources) {
    this.sources = sources;
  }

  @Override
  public Publisher publisher(PublisherProperties properties, String path) {
    PublisherProperties.Mqtt own = Objects.requireNonNull(properties.mqtt());
    return MqttPublisher.to(broker(path, own.address(), own.clientId()))
        .source(properties.source())
        .topics(Naming.of(path + ".topic", own.topic()));
  }

  @Override
  public BrokerReceiver<?> receiver(
      Supplier<String> consumer, ReceiverProperties properties, String path) {
    ReceiverProperties.Mqtt own = Objects.requireNonNull(properties.mqtt());
    MqttReceiver receiver =
        MqttReceiver.of(
                broker(path, own.address(), own.clientId()),
                Required.text(path, "topic-filter", own.topicFilter()))
            .sessionExpiry(own.sessionExpiry());
    String origin = properties.origin();
    return origin == null ? receiver : receiver.origin(origin);
  }

  private MqttBroker broker(String path, BrokerAddress address, @Nullable String clientId) {
    BrokerAddress.Server server = address.server(path, PORTS, "mqtts");
    String id = Required.text(path, "client-id", clientId);
    MqttClientSslConfig tls =
        address.sslBundle() == null
            ? null
            : tls(sources.bundle(path + ".ssl-bundle", address.sslBundle()));
    return MqttBroker.at(server.host(), server.port(), id)
        .client(builder -> settings(builder, address, server.isTls(), tls));
  }

  private static MqttClientSslConfig tls(SslBundle bundle) {
    return MqttClientSslConfig.builder()
        .keyManagerFactory(bundle.getManagers().getKeyManagerFactory())
        .trustManagerFactory(bundle.getManagers().getTrustManagerFactory())
        .build();
  }

  private static Mqtt5ClientBuilder settings(
      Mqtt5ClientBuilder builder,
      BrokerAddress address,
      boolean isTls,
      @Nullable MqttClientSslConfig tls) {
    Mqtt5ClientBuilder settings = builder;
    if (tls != null) {
      settings = settings.sslConfig(tls);
    } else if (isTls) {
      settings = settings.sslWithDefaultConfig();
    }
    if (address.username() != null) {
      byte[] password = Objects.requireNonNullElse(address.password(), "").getBytes(UTF_8);
      settings =
          settings.simpleAuth(
              Mqtt5SimpleAuth.builder().username(address.username()).password(password).build());
    }
    return settings;
  }
}
