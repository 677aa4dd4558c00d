// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.publish.DestinationUnavailableException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.pulsar.client.api.ClientBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SizeUnit;
import org.apache.pulsar.client.impl.ClientBuilderImpl;

/**
 * A cluster of Pulsar and how to connect to it: what publishers and receivers connect to. Opens
 * nothing by itself. Immutable and thread-safe; each setter returns a copy.
 */
public final class PulsarCluster {

  private static final String URL = "(pulsar(\\+ssl)?|https?)://[^@\\s]+";
  private static final int KEEP_ALIVE_SECONDS = 10;

  /** The client writes a line for each attempt to connect, and begins with ten a second. */
  private static final long BACKOFF_MIN_MS = 500;

  private static final long BACKOFF_MAX_MS = 1_000;

  private final String serviceUrl;
  private final UnaryOperator<ClientBuilder> settings;

  private PulsarCluster(String serviceUrl, UnaryOperator<ClientBuilder> settings) {
    this.serviceUrl = serviceUrl;
    this.settings = settings;
  }

  /**
   * Returns a cluster, without credentials.
   *
   * @param serviceUrl its brokers or proxy, such as {@code
   *     pulsar+ssl://pulsar-1:6651,pulsar-2:6651}
   * @throws ConfigurationException {@code OUT-021} if it is null, does not begin with {@code
   *     pulsar://}, {@code pulsar+ssl://}, {@code http://} or {@code https://}, or contains
   *     credentials
   */
  public static PulsarCluster at(String serviceUrl) {
    if (!Require.nonNull("serviceUrl", serviceUrl).matches(URL)) {
      // Not the text itself: what contains an @ may contain a password.
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the service URL of Pulsar must begin with pulsar://, pulsar+ssl://, http:// or https://,"
              + " name a host, and contain neither spaces nor credentials");
    }
    return new PulsarCluster(serviceUrl, UnaryOperator.identity());
  }

  /**
   * Returns a cluster to which the client connects with further settings: credentials, trusted
   * certificates, the listener's name. A server's certificate is checked for the name of its host,
   * too, which Pulsar's client alone leaves out; {@code enableTlsHostnameVerification} turns that
   * off. Time-outs and the limit of memory are set by publishers and receivers.
   *
   * @param value applied to a new builder for each client; thread-safe
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public PulsarCluster client(UnaryOperator<ClientBuilder> value) {
    return new PulsarCluster(serviceUrl, Require.nonNull("client", value));
  }

  /**
   * Makes a client, which connects when it is used.
   *
   * @param answerTimeMax how long it tries before it says that something failed
   * @throws DestinationUnavailableException if the settings make no client
   */
  PulsarClient open(Duration answerTimeMax) {
    try {
      return builder(answerTimeMax).build();
    } catch (PulsarClientException | RuntimeException e) {
      throw unavailable(e);
    }
  }

  /**
   * Makes a client that hands over every entry.
   *
   * @param answerTimeMax how long it tries before it says that something failed
   * @throws DestinationUnavailableException if the settings make no client
   */
  ReadingClient openToRead(Duration answerTimeMax) {
    try {
      if (!(builder(answerTimeMax) instanceof ClientBuilderImpl builder)) {
        throw new IllegalStateException("the settings replace the builder of Pulsar's client");
      }
      return ReadingClient.open(builder.getClientConfigurationData());
    } catch (PulsarClientException | RuntimeException e) {
      throw unavailable(e);
    }
  }

  private ClientBuilder builder(Duration answerTimeMax) {
    int millis = Math.toIntExact(answerTimeMax.toMillis());
    return settings
        .apply(
            PulsarClient.builder()
                .serviceUrl(serviceUrl)
                .enableTlsHostnameVerification(true)
                .keepAliveInterval(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .ioThreads(1)
                .listenerThreads(1))
        .operationTimeout(millis, TimeUnit.MILLISECONDS)
        .lookupTimeout(millis, TimeUnit.MILLISECONDS)
        .connectionTimeout(millis, TimeUnit.MILLISECONDS)
        .startingBackoffInterval(BACKOFF_MIN_MS, TimeUnit.MILLISECONDS)
        .maxBackoffInterval(BACKOFF_MAX_MS, TimeUnit.MILLISECONDS)
        .memoryLimit(0, SizeUnit.BYTES); // the relay bounds what is on its way
  }

  private DestinationUnavailableException unavailable(Exception e) {
    return new DestinationUnavailableException(
        "cannot make a client of Pulsar at " + this + ": " + e.getMessage(), e);
  }

  /** Names the service URL. */
  @Override
  public String toString() {
    return serviceUrl;
  }
}
