// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.support.IncomingHeadersProcessor;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.receive.Arrival;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Messages that the server has delivered and NATS's client has not handed over, since it cannot
 * read their headers, or takes them for its own. Nobody is told of them, and the server waits for
 * their acknowledgement for ever. For one thread.
 */
final class NatsWithheld {

  private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(3);
  private static final int LOOK_MAX = 100;
  private static final byte[] TERM = "+TERM".getBytes(StandardCharsets.US_ASCII);

  private final Connection connection;
  private final NatsConsumer consumer;
  private final Map<NatsReader.Place, Found> found = new HashMap<>();

  /** A message that cannot be handed over. */
  private record Found(
      @SuppressWarnings("ArrayRecordComponent") byte[] payload, String acknowledgeTo) {}

  NatsWithheld(Connection connection, NatsConsumer consumer) {
    this.connection = connection;
    this.consumer = consumer;
  }

  /**
   * Looks for them among what is not acknowledged. That may also be with other instances.
   *
   * @param info what the server said of the consumer
   * @param isKnown what has been handed over
   */
  List<Arrival<NatsReader.Place>> look(ConsumerInfo info, Predicate<NatsReader.Place> isKnown)
      throws IOException, InterruptedException {
    List<Arrival<NatsReader.Place>> arrivals = new ArrayList<>();
    if (info.getNumAckPending() == 0) {
      return arrivals;
    }
    long first = info.getAckFloor().getStreamSequence() + 1;
    long last = Math.min(info.getDelivered().getStreamSequence(), first + LOOK_MAX);
    for (long sequence = first; sequence <= last; sequence++) {
      NatsReader.Place place = new NatsReader.Place(consumer.stream(), sequence);
      Arrival<NatsReader.Place> arrival =
          isKnown.test(place) || found.containsKey(place) ? null : look(place, info);
      if (arrival != null) {
        arrivals.add(arrival);
      }
    }
    return arrivals;
  }

  private @Nullable Arrival<NatsReader.Place> look(NatsReader.Place place, ConsumerInfo info)
      throws IOException, InterruptedException {
    Map<String, JsonValue> stored = stored(place);
    byte[] headers = bytes(stored.get("hdrs"));
    String problem = headers.length == 0 ? null : problem(headers);
    if (problem == null) {
      return null;
    }
    byte[] payload = bytes(stored.get("data"));
    String to =
        "$JS.ACK.%s.%s.1.%s.%s.0.0"
            .formatted(
                consumer.stream(),
                consumer.durable(),
                place.sequence(),
                info.getDelivered().getConsumerSequence());
    found.put(place, new Found(payload, to));
    return new Arrival<>(
        place,
        payload.length,
        null,
        new InvalidMessageException(
            ErrorCode.INVALID_MESSAGE, place + " cannot be read by NATS's client: " + problem));
  }

  /** Returns what the server has, before any client has read it; nothing where that is gone. */
  private Map<String, JsonValue> stored(NatsReader.Place place)
      throws IOException, InterruptedException {
    String request = "{\"seq\":" + place.sequence() + "}";
    Message reply =
        connection.request(
            "$JS.API.STREAM.MSG.GET." + place.stream(),
            request.getBytes(StandardCharsets.US_ASCII),
            ANSWER_TIME_MAX);
    if (reply == null) {
      throw new IOException("NATS did not answer what " + place + " is");
    }
    try {
      Map<String, JsonValue> answer = JsonParser.parse(reply.getData()).map;
      JsonValue message = answer == null ? null : answer.get("message");
      return message == null || message.map == null ? Map.of() : message.map;
    } catch (JsonParseException e) {
      throw new IOException("NATS answered no JSON when asked for " + place, e);
    }
  }

  private static byte[] bytes(@Nullable JsonValue base64) {
    return base64 == null || base64.string == null
        ? new byte[0]
        : Base64.getDecoder().decode(base64.string);
  }

  /** Reads headers as the client does. */
  private static @Nullable String problem(byte[] headers) {
    try {
      return new IncomingHeadersProcessor(headers).getStatus() == null
          ? null
          : "it has a status in place of headers, which is the server's to send";
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Returns the payload of one that was found; null of any other. */
  byte @Nullable [] payload(NatsReader.Place place) {
    Found one = found.get(place);
    return one == null ? null : one.payload();
  }

  /**
   * Has the server deliver one no more.
   *
   * @return whether it was one of these
   */
  boolean terminate(NatsReader.Place place) {
    Found one = found.remove(place);
    if (one != null) {
      connection.publish(one.acknowledgeTo(), TERM);
    }
    return one != null;
  }
}
