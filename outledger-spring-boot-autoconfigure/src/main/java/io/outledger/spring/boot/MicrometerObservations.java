// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
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
    described(Observation.createNotStarted("outledger.append", () -> context, registry), message)
        .contextualName(message.topic() + " append")
        .lowCardinalityKeyValue("topic", message.topic())
        .observe(() -> {});
    return message.headers().containsKey(TRACE) ? message : with(trace, message);
  }

  @Override
  public void handle(String subscription, String handler, Message message, Work work)
      throws Exception {
    ReceiverContext<Map<String, String>> context =
        new ReceiverContext<>((headers, name) -> headers.get(name), Kind.CONSUMER);
    context.setCarrier(message.headers());
    described(Observation.createNotStarted("outledger.handle", () -> context, registry), message)
        .contextualName(handler + " handle")
        .lowCardinalityKeyValue("subscription", subscription)
        .lowCardinalityKeyValue("handler", handler)
        .observeChecked(work::run);
  }

  private static Observation described(Observation observation, Message message) {
    return observation
        .lowCardinalityKeyValue("type", message.type())
        .highCardinalityKeyValue("message.id", message.id().toString());
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
