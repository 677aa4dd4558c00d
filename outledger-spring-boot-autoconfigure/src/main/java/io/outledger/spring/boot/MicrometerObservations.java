// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.inbox.Received;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Observes with Micrometer. Its tracing, if the application has one, writes the trace into a
 * message's headers, in W3C's form by default, and reads it from there. Thread-safe.
 */
final class MicrometerObservations implements MessageObservations {

  private static final String TRACE = "traceparent";

  private final ObservationRegistry registry;

  MicrometerObservations(ObservationRegistry registry) {
    this.registry = registry;
  }

  /** A trace that the application has given to the message itself stays. */
  @Override
  public Message append(Message message) {
    Map<String, String> trace = new TreeMap<>();
    SenderContext<Map<String, String>> context =
        new SenderContext<>(
            (headers, name, value) -> Objects.requireNonNull(headers).put(name, value),
            Kind.PRODUCER);
    context.setCarrier(trace);
    described(
            Observation.createNotStarted("outledger.append", () -> context, registry),
            message.type(),
            message.id().toString())
        .contextualName(message.topic() + " append")
        .lowCardinalityKeyValue("topic", message.topic())
        .observe(() -> {});
    return message.headers().containsKey(TRACE) ? message : with(trace, message);
  }

  @Override
  public void handle(String subscription, String handler, Message message, Work work)
      throws Exception {
    consuming("outledger.handle", message.headers(), message.type(), String.valueOf(message.id()))
        .contextualName(handler + " handle")
        .lowCardinalityKeyValue("subscription", subscription)
        .lowCardinalityKeyValue("handler", handler)
        .observeChecked(work::run);
  }

  @Override
  public void receive(String consumer, Received message, Work work) throws Exception {
    consuming("outledger.receive", message.headers(), message.type(), message.id())
        .contextualName(consumer + " receive")
        .lowCardinalityKeyValue("consumer", consumer)
        .observeChecked(work::run);
  }

  private Observation consuming(String name, Map<String, String> headers, String type, String id) {
    ReceiverContext<Map<String, String>> context =
        new ReceiverContext<>((carrier, key) -> carrier.get(key), Kind.CONSUMER);
    context.setCarrier(headers);
    return described(Observation.createNotStarted(name, () -> context, registry), type, id);
  }

  private static Observation described(Observation observation, String type, String id) {
    return observation
        .lowCardinalityKeyValue("type", type)
        .highCardinalityKeyValue("message.id", id);
  }

  private static Message with(Map<String, String> trace, Message message) {
    if (trace.isEmpty()) {
      return message;
    }
    Message.Builder copy = message.copy();
    trace.forEach(copy::header);
    try {
      return copy.build();
    } catch (InvalidMessageException e) {
      return message; // with a trace it would be too large: it goes without
    }
  }
}
