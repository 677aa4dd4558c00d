// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import java.util.function.BiFunction;

/** Brings messages into the wire format, or says why one cannot be. Thread-safe. */
record WireFormatWriter(
    PayloadSchemas schemas, BiFunction<Message, RegistrySchema, String> subjects, SchemaIds ids) {

  /** What came of a message. */
  sealed interface Result {

    /** It can be published. */
    record Written(Message message) implements Result {}

    /** It cannot. */
    record Failed(Outcome outcome) implements Result {}
  }

  /** Writes a message; has the registry asked where the id of its schema is not known yet. */
  Result write(Message message) {
    WirePayload payload = schemas.of(message);
    if (payload instanceof WirePayload.Unknown unknown) {
      return failed(Outcome.rejected(unknown.why()));
    }
    if (!(payload instanceof WirePayload.Written written)) {
      return new Result.Written(message);
    }
    String subject;
    try {
      subject = subjects.apply(message, written.schema());
    } catch (RuntimeException e) {
      return failed(Outcome.rejected("naming the subject of its schema threw " + e.getClass()));
    }
    return subject == null
        ? failed(Outcome.rejected("the subject of its schema was named null"))
        : write(message, subject, written);
  }

  private Result write(Message message, String subject, WirePayload.Written payload) {
    RegistrySchema schema = payload.schema();
    Integer id = ids.known(subject, schema);
    if (id == null) {
      RegistryAnswer answer = ids.ask(subject, schema);
      if (answer instanceof RegistryAnswer.Refused refused) {
        return failed(
            Outcome.topicUnavailable(
                "the schema of " + schema.name() + " as " + subject + ": " + refused.why()));
      }
      if (answer instanceof RegistryAnswer.Away away) {
        return failed(
            away.mayBeOfOne()
                ? Outcome.topicUnavailable(schema.name() + " as " + subject + ": " + away.why())
                : Outcome.unavailable(away.why()));
      }
      id = ((RegistryAnswer.Given) answer).body().path("id").asInt();
    }
    byte[] framed = WireFormat.of(id, payload, message.payload());
    return new Result.Written(message.copy().payload(framed).build());
  }

  private static Result failed(Outcome outcome) {
    return new Result.Failed(outcome);
  }
}
