// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where webhooks are posted to, and how. Immutable and thread-safe; each setter returns a copy.
 *
 * <p>Defaults: no signature, structured CloudEvents, a time limit of 15 seconds, bodies of at most
 * 1 MiB.
 */
public final class WebhookEndpoint {

  private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(15);
  private static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);
  private static final int BODY_BYTES_DEFAULT = 1 << 20;

  private final URI uri;
  private final boolean inOwnNetwork;
  private final Choices choices;

  /** What the setters set. */
  record Choices(
      List<WebhookSecret> secrets,
      Map<String, String> headers,
      boolean binary,
      Duration timeout,
      int bodyBytesMax) {}

  private WebhookEndpoint(URI uri, boolean inOwnNetwork, Choices choices) {
    this.uri = uri;
    this.inOwnNetwork = inOwnNetwork;
    this.choices = choices;
  }

  /**
   * Returns an endpoint in the public internet. It must be {@code https}. A connection is made only
   * to public addresses, whatever the host's name resolves to when it is made: an address that a
   * customer has entered never leads into your own network.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null, not absolute, not {@code https},
   *     or contains a user name, a password or a fragment
   */
  public static WebhookEndpoint at(URI uri) {
    return of(uri, false, "https");
  }

  /**
   * Returns an endpoint in your own network, {@code https} or {@code http}, at any address. For
   * addresses that you wrote yourself, never for those of customers.
   *
   * @throws ConfigurationException as {@link #at} throws it
   */
  public static WebhookEndpoint inOwnNetwork(URI uri) {
    return of(uri, true, "https", "http");
  }

  private static WebhookEndpoint of(URI uri, boolean inOwnNetwork, String... schemes) {
    String scheme = Require.nonNull("uri", uri).getScheme();
    boolean isAllowed =
        scheme != null && List.of(schemes).contains(scheme.toLowerCase(Locale.ROOT));
    if (!isAllowed
        || uri.getHost() == null
        || uri.getRawUserInfo() != null
        || uri.getRawFragment() != null) {
      throw invalid(
          "the webhook endpoint must be an absolute address of "
              + String.join(" or ", schemes)
              + " without user, password and fragment"
              + (inOwnNetwork ? "" : "; for plain http in your own network use inOwnNetwork()"));
    }
    return new WebhookEndpoint(
        uri,
        inOwnNetwork,
        new Choices(List.of(), Map.of(), false, TIMEOUT_DEFAULT, BODY_BYTES_DEFAULT));
  }

  /**
   * Signs every request with these secrets: with several while one replaces the other, so that a
   * receiver that knows either of them is content.
   *
   * @throws ConfigurationException {@code OUT-021} if there is none
   */
  public WebhookEndpoint signedWith(WebhookSecret... secrets) {
    List<WebhookSecret> all = List.of(Require.nonNull("secrets", secrets));
    if (all.isEmpty()) {
      throw invalid("signedWith needs one secret or more");
    }
    return with(
        new Choices(
            all, choices.headers(), choices.binary(), choices.timeout(), choices.bodyBytesMax()));
  }

  /**
   * Sends a further header with every request, such as {@code Authorization}. Its value is never
   * printed.
   *
   * @throws ConfigurationException {@code OUT-021} if the name or the value is not valid in HTTP,
   *     or the name is one that the publisher sets itself
   */
  public WebhookEndpoint header(String name, String value) {
    Require.nonNull("name", name);
    Require.nonNull("value", value);
    if (!EventHeaders.isName(name) || !EventHeaders.isPlain(value)) {
      throw invalid("the name or the value of header '" + name + "' is not valid in HTTP");
    }
    if (!EventHeaders.isConfigurable(name)) {
      throw invalid("the publisher sets the header '" + name + "' itself");
    }
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(choices.headers());
    all.put(name, value);
    return with(
        new Choices(
            choices.secrets(), all, choices.binary(), choices.timeout(), choices.bodyBytesMax()));
  }

  /**
   * Sends CloudEvents in binary mode: the payload is the body, and the attributes are headers. A
   * signature covers the body and the id, and none of the other attributes; structured mode, the
   * default, signs everything.
   */
  public WebhookEndpoint binary() {
    return with(
        new Choices(
            choices.secrets(), choices.headers(), true, choices.timeout(), choices.bodyBytesMax()));
  }

  /**
   * Limits how long connecting may take, and how long the answer may take after it.
   *
   * @param value 1 ms to 10 minutes; the default is 15 seconds. It is never more than half of the
   *     relay's lease, which is 5 seconds by default
   * @throws ConfigurationException {@code OUT-021} if it is null or out of range
   */
  public WebhookEndpoint timeout(Duration value) {
    if (Require.nonNull("timeout", value).compareTo(Duration.ofMillis(1)) < 0
        || value.compareTo(TIMEOUT_MAX) > 0) {
      throw invalid("timeout must be 1 ms to 10 minutes, not " + value);
    }
    return with(
        new Choices(
            choices.secrets(), choices.headers(), choices.binary(), value, choices.bodyBytesMax()));
  }

  /**
   * Limits the body. A message that needs a larger one is a failed attempt.
   *
   * @param value 1 byte or more; the default is 1 MiB
   * @throws ConfigurationException {@code OUT-021} if it is less
   */
  public WebhookEndpoint bodyBytesMax(int value) {
    if (value < 1) {
      throw invalid("bodyBytesMax must be 1 or more, not " + value);
    }
    return with(
        new Choices(
            choices.secrets(), choices.headers(), choices.binary(), choices.timeout(), value));
  }

  private WebhookEndpoint with(Choices changed) {
    return new WebhookEndpoint(uri, inOwnNetwork, changed);
  }

  URI uri() {
    return uri;
  }

  boolean isInOwnNetwork() {
    return inOwnNetwork;
  }

  Choices choices() {
    return choices;
  }

  /** Names scheme, host and port alone: path, query and headers may be secret. */
  @Override
  public String toString() {
    int port = uri.getPort();
    return uri.getScheme() + "://" + uri.getHost() + (port < 0 ? "" : ":" + port);
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
