// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Require;
import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.cloudevents.ReceivedHeaders;
import io.outledger.cloudevents.ReservedHeaders;
import io.outledger.cloudevents.TransportMessage;
import io.outledger.inbox.Received;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads webhooks where they arrive, in any server: it takes headers and a body, verifies the
 * signature, and returns the message, to be processed through an inbox. Answer 204 once that has
 * committed; on any failure answer 500, and the sender posts it again.
 *
 * <p>The signature of structured mode covers everything that is read. That of binary mode covers
 * the body and the id, and nothing else, so binary mode is accepted only on request ({@link
 * #binaryFrom}). A request that is posted again, by its sender or by somebody who has copied it,
 * has the same identity, so an inbox processes it once.
 *
 * <p>Immutable and thread-safe; each setter returns a copy.
 */
public final class WebhookReader {

  private static final Duration TOLERANCE_DEFAULT = Duration.ofMinutes(5);
  private static final int BODY_BYTES_DEFAULT = 16 << 20;
  private static final int SIGNATURES_MAX = 16;
  private static final int UNAUTHORIZED = 401;
  private static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 413;

  private final List<WebhookSecret> secrets;
  private final Choices choices;
  private final CloudEventReader structured = new CloudEventReader("");
  private final CloudEventReader binary = new CloudEventReader(EventHeaders.PREFIX);

  private record Choices(
      String origin,
      @Nullable String binarySource,
      Duration tolerance,
      int bodyBytesMax,
      TimeSource time) {}

  private WebhookReader(List<WebhookSecret> secrets, Choices choices) {
    this.secrets = secrets;
    this.choices = choices;
  }

  /**
   * Makes a reader that accepts what is signed with one of these secrets, no earlier and no later
   * than five minutes from now.
   *
   * @param origin names the sender whose secrets they are, such as {@code crm}: part of a message's
   *     identity, so that no sender can pass for another. ASCII without spaces
   * @throws ConfigurationException {@code OUT-021} if there is no secret, or the origin is not
   *     valid
   */
  public static WebhookReader of(String origin, WebhookSecret... secrets) {
    List<WebhookSecret> all = List.of(Require.nonNull("secrets", secrets));
    if (all.isEmpty()) {
      throw invalid("a webhook reader needs the sender's secret");
    }
    return new WebhookReader(
        all,
        new Choices(
            checkedOrigin(origin),
            null,
            TOLERANCE_DEFAULT,
            BODY_BYTES_DEFAULT,
            TimeSource.system()));
  }

  /**
   * Returns a reader that accepts binary mode too. The signature does not cover the message's type,
   * key, time and headers: whoever can change a request on its way can change those.
   *
   * @param source the only CloudEvents source that is accepted in binary mode: part of a message's
   *     identity, which must not be for others to choose
   */
  public WebhookReader binaryFrom(String source) {
    return with(
        new Choices(
            choices.origin(),
            CloudEvents.checkedSource(source),
            choices.tolerance(),
            choices.bodyBytesMax(),
            choices.time()));
  }

  /**
   * Returns a reader that accepts another difference between the sender's clock and its own.
   *
   * @param value 1 second or more; the default is five minutes
   * @throws ConfigurationException {@code OUT-021} if it is null or less
   */
  public WebhookReader tolerance(Duration value) {
    if (Require.nonNull("tolerance", value).toSeconds() < 1) {
      throw invalid("tolerance must be 1 second or more, not " + value);
    }
    return with(
        new Choices(
            choices.origin(),
            choices.binarySource(),
            value,
            choices.bodyBytesMax(),
            choices.time()));
  }

  /**
   * Returns a reader with another limit of the body. Limit what your server reads, too.
   *
   * @param value 1 byte or more; the default is 16 MiB
   * @throws ConfigurationException {@code OUT-021} if it is less
   */
  public WebhookReader bodyBytesMax(int value) {
    if (value < 1) {
      throw invalid("bodyBytesMax must be 1 or more, not " + value);
    }
    return with(
        new Choices(
            choices.origin(), choices.binarySource(), choices.tolerance(), value, choices.time()));
  }

  /** Returns a reader with another clock. The default is {@link TimeSource#system()}. */
  public WebhookReader time(TimeSource value) {
    return with(
        new Choices(
            choices.origin(),
            choices.binarySource(),
            choices.tolerance(),
            choices.bodyBytesMax(),
            Require.nonNull("time", value)));
  }

  /**
   * Reads a request.
   *
   * @param headers the request's headers; names in any case
   * @param body the request's body, byte for byte as it came
   * @return the message, whose topic is the origin
   * @throws WebhookRefusedException {@code OUT-014} with the status to answer, if it is not signed
   *     by the sender now, or is no CloudEvent
   */
  public Received read(Map<String, List<String>> headers, byte[] body) {
    Require.nonNull("headers", headers);
    Require.nonNull("body", body);
    if (body.length > choices.bodyBytesMax()) {
      throw new WebhookRefusedException(
          TOO_LARGE,
          "a webhook has " + body.length + " bytes, but the limit is " + choices.bodyBytesMax());
    }
    Map<String, List<String>> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach((name, values) -> byName.merge(name, values, WebhookReader::joined));
    String id = verifiedId(byName, body);
    try {
      Received message = message(byName, body);
      if (!message.id().equals(id)) {
        throw refused(UNAUTHORIZED, "its webhook-id is not the id of its event");
      }
      return message;
    } catch (InvalidMessageException e) {
      throw new WebhookRefusedException(BAD_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  private String verifiedId(Map<String, List<String>> headers, byte[] body) {
    String id = only(headers, EventHeaders.ID);
    String timestamp = only(headers, EventHeaders.TIMESTAMP);
    List<String> signatures = List.of(only(headers, EventHeaders.SIGNATURE).split(" ", -1));
    List<String> first = signatures.subList(0, Math.min(signatures.size(), SIGNATURES_MAX));
    boolean isSigned = false;
    for (WebhookSecret secret : secrets) {
      isSigned |= secret.matchesAny(first, id, timestamp, body);
    }
    if (!isSigned) {
      throw refused(UNAUTHORIZED, "its signature was made with none of the secrets");
    }
    checkTime(timestamp);
    return id;
  }

  private void checkTime(String timestamp) {
    long now = choices.time().now().getEpochSecond();
    boolean isNumber = timestamp.matches("[0-9]{1,12}");
    if (!isNumber || Math.abs(now - Long.parseLong(timestamp)) > choices.tolerance().toSeconds()) {
      throw refused(
          UNAUTHORIZED, "it was signed more than " + choices.tolerance() + " before or after now");
    }
  }

  private Received message(Map<String, List<String>> headers, byte[] body) {
    List<String> types = headers.getOrDefault(CloudEvents.CONTENT_TYPE, List.of());
    String type = types.isEmpty() ? "" : String.valueOf(types.get(0));
    if (type.regionMatches(
        true, 0, StructuredEvent.MEDIA_TYPE, 0, StructuredEvent.MEDIA_TYPE.length())) {
      return structured(body);
    }
    String source = choices.binarySource();
    if (source == null) {
      throw refused(BAD_REQUEST, "it is not a CloudEvent in structured mode");
    }
    Received message = binary(headers, body);
    if (!message.source().equals(source)) {
      throw refused(BAD_REQUEST, "its source is not the one that is accepted");
    }
    return message;
  }

  private Received structured(byte[] body) {
    ReceivedHeaders read =
        new ReceivedHeaders(new Arrived(choices.origin(), body), ReservedHeaders.NONE);
    try {
      byte[] payload = StructuredEvent.read(body, read);
      return structured.read(new Arrived(choices.origin(), payload), read);
    } catch (IOException e) {
      throw refused(BAD_REQUEST, "it is not a CloudEvent in JSON");
    }
  }

  private Received binary(Map<String, List<String>> headers, byte[] body) {
    Arrived arrived = new Arrived(choices.origin(), body);
    ReceivedHeaders read = new ReceivedHeaders(arrived, EventHeaders.RESERVED);
    headers.forEach(
        (name, values) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          values.forEach(value -> read.add(lower, EventHeaders.decoded(lower, value)));
        });
    return binary.read(arrived, read);
  }

  private static String only(Map<String, List<String>> headers, String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    if (values.size() != 1 || values.get(0).length() > Received.ID_CHARS_MAX * SIGNATURES_MAX) {
      throw refused(UNAUTHORIZED, "it has no header " + name + ", or more than one");
    }
    return new String(values.get(0).getBytes(ISO_8859_1), ISO_8859_1).strip();
  }

  private static List<String> joined(List<String> some, List<String> others) {
    return java.util.stream.Stream.concat(some.stream(), others.stream()).toList();
  }

  private WebhookReader with(Choices changed) {
    return new WebhookReader(secrets, changed);
  }

  private static String checkedOrigin(String origin) {
    String given = Require.nonNull("origin", origin);
    if (given.isEmpty()
        || given.length() > Received.ORIGIN_CHARS_MAX
        || !given.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw invalid("the origin must be 1 to 256 characters of ASCII without spaces");
    }
    return given;
  }

  /** Never with a value of the sender's: the text goes into logs. */
  private static WebhookRefusedException refused(int status, String problem) {
    return new WebhookRefusedException(status, "a webhook is not accepted: " + problem);
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }

  /** A request as it arrived. */
  private record Arrived(String origin, @SuppressWarnings("ArrayRecordComponent") byte[] payload)
      implements TransportMessage {

    @Override
    public String place() {
      return "a webhook from " + origin;
    }

    @Override
    public String topic() {
      return origin;
    }

    @Override
    public @Nullable String key() {
      return null;
    }
  }
}
