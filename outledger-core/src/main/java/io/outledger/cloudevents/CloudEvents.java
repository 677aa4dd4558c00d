// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.inbox.Received;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Names and rules that publishers and receivers of CloudEvents share, whatever their broker. */
public final class CloudEvents {

  /**
   * The header of the payload's media type, which is the attribute {@code datacontenttype} of
   * binary mode. A protocol with a property of its own for it, such as AMQP or MQTT, carries it
   * there.
   */
  public static final String CONTENT_TYPE = "content-type";

  /** The source of messages where a publisher was given no other. */
  public static final String SOURCE_DEFAULT = "/outledger";

  private CloudEvents() {}

  /**
   * Checks a source. CloudEvents asks for a non-empty URI reference (section "source" of its
   * specification); an inbox stores at most {@value Received#SOURCE_CHARS_MAX} characters of it.
   *
   * @return the same source
   * @throws ConfigurationException {@code OUT-021} if it is null, blank, too long or not a URI
   *     reference
   */
  public static String checkedSource(String uri) {
    Require.nonNull("uri", uri);
    try {
      if (!uri.isBlank() && uri.length() <= Received.SOURCE_CHARS_MAX && new URI(uri) != null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      throw invalidSource(uri, e);
    }
    throw invalidSource(uri, null);
  }

  private static ConfigurationException invalidSource(String uri, @Nullable Throwable cause) {
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        "the CloudEvents source '" + uri + "' must be a URI reference of 1 to 200 characters",
        cause);
  }
}
