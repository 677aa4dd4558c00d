// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.exceptions.ConnectionClosedException;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.publish.DestinationUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A broker of MQTT 5 and the client id to connect with: what publishers and receivers connect to.
 *
 * <p>A broker serves one connection of a client id: when another one connects with the same id, it
 * ends the first. So each publisher and each receiver needs an id of its own, the same in all
 * instances of the application.
 *
 * <p>Immutable and thread-safe; each setter returns a copy.
 */
public final class MqttBroker {

  private static final int CLIENT_ID_BYTES_MAX = 23;
  private static final int PORT_MAX = 65_535;

  private final String host;
  private final int port;
  private final String clientId;
  private final UnaryOperator<Mqtt5ClientBuilder> settings;

  private MqttBroker(
      String host, int port, String clientId, UnaryOperator<Mqtt5ClientBuilder> settings) {
    this.host = host;
    this.port = port;
    this.clientId = clientId;
    this.settings = settings;
  }

  /**
   * Returns a broker, without TLS and credentials.
   *
   * @param host its name or address
   * @param port its port, usually 1883, or 8883 with TLS
   * @param clientId 1 to 23 letters and digits and dashes, which every broker takes
   * @throws ConfigurationException {@code OUT-021} if an argument is null or has another form
   */
  public static MqttBroker at(String host, int port, String clientId) {
    Require.nonNull("host", host);
    Require.nonNull("clientId", clientId);
    if (port < 1 || port > PORT_MAX) {
      throw invalid("the MQTT broker's port must be 1 to 65535, not " + port);
    }
    if (!clientId.matches("[A-Za-z0-9-]{1," + CLIENT_ID_BYTES_MAX + "}")) {
      throw invalid("an MQTT client id must be 1 to 23 letters, digits and dashes");
    }
    return new MqttBroker(host, port, clientId, UnaryOperator.identity());
  }

  /**
   * Returns a broker to which the client connects with further settings, such as TLS and
   * credentials. Address, client id and reconnecting are set after it.
   *
   * @param value applied to a new builder for each connection; thread-safe
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public MqttBroker client(UnaryOperator<Mqtt5ClientBuilder> value) {
    return new MqttBroker(host, port, clientId, Require.nonNull("client", value));
  }

  /** A connection, what the broker said of itself, and why it ended. */
  static final class Link {
    private final Mqtt5AsyncClient client;
    private final MqttBroker broker;
    private volatile @Nullable Throwable end;
    private volatile @Nullable Mqtt5ConnAck limits;

    private Link(MqttBroker broker) {
      this.broker = broker;
      this.client =
          broker
              .settings
              .apply(MqttClient.builder().useMqttVersion5())
              .identifier(broker.clientId)
              .serverHost(broker.host)
              .serverPort(broker.port)
              .automaticReconnect(null) // it would send again, behind later messages
              .addDisconnectedListener(context -> end = context.getCause())
              .buildAsync();
    }

    Mqtt5AsyncClient client() {
      return client;
    }

    /**
     * Begins to connect.
     *
     * @return this; fails with a {@link DestinationUnavailableException}
     */
    CompletableFuture<Link> connect(Mqtt5Connect connect) {
      return client
          .connect(connect)
          .handle(
              (answer, failure) -> {
                if (failure != null) {
                  throw new CompletionException(broker.unavailable(failure));
                }
                limits = answer;
                return this;
              });
    }

    boolean isOpen() {
      return client.getState().isConnected();
    }

    /** Returns the most bytes of a packet that the broker takes. */
    int packetBytesMax() {
      Mqtt5ConnAck answer = limits;
      return answer == null ? 0 : answer.getRestrictions().getMaximumPacketSize();
    }

    /** Says whether the broker ended it because somebody else has connected with its id. */
    boolean isTakenOver() {
      return end instanceof Mqtt5DisconnectException disconnect
          && disconnect.getMqttMessage().getReasonCode()
              == Mqtt5DisconnectReasonCode.SESSION_TAKEN_OVER;
    }

    /**
     * Says whether it ended without the broker's giving a reason: it or the line broke, or somebody
     * else has connected with its id and the broker does not say so, as older Mosquittos do not.
     */
    boolean isEndedWithoutReason() {
      return end instanceof ConnectionClosedException;
    }

    /** Says why the connection ended, and what to do. */
    String endText() {
      if (isTakenOver()) {
        return "another client has connected to the MQTT broker at " + broker + remedy();
      }
      String text = "the connection to the MQTT broker at " + broker + " ended: " + end;
      return isEndedWithoutReason()
          ? text + " If that recurs, perhaps another client connects" + remedy()
          : text;
    }

    private String remedy() {
      return " with the client id '"
          + broker.clientId
          + "'; give each publisher and receiver an id of its own";
    }

    void close() {
      var unused = client.disconnect();
    }
  }

  /** Returns a client that is not connected yet. */
  Link link() {
    return new Link(this);
  }

  private DestinationUnavailableException unavailable(Throwable failure) {
    Throwable given = failure.getCause();
    Throwable cause = failure instanceof CompletionException && given != null ? given : failure;
    Throwable root = cause.getCause();
    String why =
        cause instanceof Mqtt5ConnAckException refused
            ? "it answered " + refused.getMqttMessage().getReasonCode()
            : cause + (root == null ? "" : ": " + root.getMessage());
    return new DestinationUnavailableException(
        "cannot connect to the MQTT broker at " + this + ": " + why, cause);
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }

  /** Names the broker, without credentials. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
